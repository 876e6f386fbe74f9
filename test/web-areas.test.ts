import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { builtWeb } from './built-web.ts';

/** Checks that no page loads another area's code, by following the built files to their sources. */
type Chunk = { imports: string[]; dynamicImports: string[]; modules: string[] };
const chunks = JSON.parse(readFileSync(join(builtWeb(), '.vite/chunks.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The parts of the document of each screen, which name the files that load at once. */
type Document = { head: string; words: { en: string }; styles: string };
const documents = JSON.parse(readFileSync(join(builtWeb(), 'documents/screens.json'), 'utf8')) as Record<
  string,
  Document
>;
const ofOperators = Object.entries(documents).filter(([path]) => path.startsWith('/management-panel-'));
/** Each file costs a request. Before modules were grouped by operators' screens, one had 55 scripts. */
const SCRIPTS_MAX = 15;
const STYLES_MAX = 5;

const holderOf = (source: string): string => {
  const file = Object.keys(chunks).find((name) => chunks[name]?.modules.includes(source));
  assert.ok(file, `${source} is in no built file`);
  return file;
};

/** A file and the files that it imports statically. */
const filesOf = (file: string, seen = new Set<string>()): Set<string> => {
  if (!seen.has(file)) for (const next of chunks[file]?.imports ?? []) filesOf(next, seen.add(file));
  return seen.add(file);
};

/** The sources that a file imports statically, and with `later` also the dynamic imports. */
function sourcesOf(file: string, later: boolean, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const chunk = chunks[file];
  if (chunk === undefined) return [];
  const next = later ? [...chunk.imports, ...chunk.dynamicImports] : chunk.imports;
  return [...chunk.modules, ...next.flatMap((name) => sourcesOf(name, later, seen))];
}

const isOperators = (source: string) => /^admin\/|^shell\/operator-|^access\/(admin-|no-access)/.test(source);
/** A screen of members. Shared code, such as a list of words for rows, belongs to no area. */
const isMembers = (source: string) =>
  /^(members|bonus|coinflip|earning|referrals|withdrawals)\/.*-(page|card|dialog)\.tsx$/.test(source) ||
  /^(shell\/(member-area|history-screen|top-bar|bottom-bar)|home\/dashboard-page|ledger\/history-page)\.tsx$/.test(
    source,
  );
const isApp = (source: string) => /^(main|routes|shell|home|access|members|admin|ui\/theme)/.test(source);

const routes = ['routes.tsx', 'screens.ts']
  .map((name) => readFileSync(join(import.meta.dirname, '../web', name), 'utf8'))
  .join('\n');
const screens = [...new Set([...routes.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, path]) => path ?? ''))];

describe('the code that a page loads', () => {
  it('can be followed from every screen', () => {
    assert.ok(screens.length > 10);
    assert.ok(screens.some(isOperators) && screens.some(isMembers));
    // Shows that the guard can fail.
    assert.ok(Object.values(chunks).some(({ modules }) => modules.some(isOperators)));
  });
  it('excludes the app on a visitor’s page', () => {
    const sources = sourcesOf(holderOf('content/page-script.ts'), true);
    assert.ok(sources.length > 0);
    assert.deepEqual(sources.filter(isApp), []);
  });
  it('excludes every screen before one is chosen', () => {
    const sources = sourcesOf(holderOf('main.tsx'), false);
    assert.ok(sources.length > 10);
    assert.deepEqual(
      sources.filter((source) => isOperators(source) || isMembers(source)),
      [],
    );
  });
  it('has no import cycle between files, because a file would run before the files it needs', () => {
    const done = new Set<string>();
    const rings: string[][] = [];
    const visit = (file: string, trail: string[]): void => {
      if (trail.includes(file)) rings.push([...trail, file]);
      if (trail.includes(file) || done.has(file)) return;
      done.add(file);
      for (const next of chunks[file]?.imports ?? []) visit(next, [...trail, file]);
    };
    for (const file of Object.keys(chunks)) visit(file, []);
    assert.deepEqual(rings, []);
  });
  it('excludes the contract’s schemas on the way to Home', () => {
    const isRules = (file: string) => /\/rules-/.test(file);
    const ways = [
      'main.tsx',
      'shell/member-area.tsx',
      'home/dashboard-page.tsx',
      'coinflip/coin-flip-card.tsx',
    ];
    for (const source of ways) assert.deepEqual([...filesOf(holderOf(source))].filter(isRules), [], source);
    assert.ok(
      [...filesOf(holderOf('members/theme-dialog.tsx'))].some(isRules),
      'no screen loads the schemas',
    );
  });
  it('loads for Home none of the large components and nothing of other screens', () => {
    const names = ['main.tsx', 'shell/member-area.tsx', 'home/dashboard-page.tsx'].flatMap((source) =>
      [...filesOf(holderOf(source))].map((file) => file.replace(/^assets\/|-.{8}\.js$/g, '')),
    );
    assert.deepEqual([...new Set(names)].sort(), ['app', 'home', 'parts', 'rolldown-runtime']);
  });
  it('is in few files for an operator, on every screen', () => {
    assert.ok(ofOperators.length > 10);
    const countOf = (text: string) => [...text.matchAll(/<link /g)].length;
    for (const [path, { head, words, styles }] of ofOperators) {
      assert.ok(countOf(words.en) > 1, `${path}: ${words.en}`);
      const scriptCount = countOf(head) + countOf(words.en);
      assert.ok(scriptCount <= SCRIPTS_MAX, `${path}: ${scriptCount} scripts: ${head} ${words.en}`);
      assert.ok(countOf(styles) <= STYLES_MAX, `${path}: ${styles}`);
    }
  });
  for (const screen of screens)
    it(`excludes the other area on ${screen}`, () => {
      const foreign = isOperators(screen) ? isMembers : isOperators;
      assert.deepEqual(sourcesOf(holderOf(screen), false).filter(foreign), []);
    });
});
