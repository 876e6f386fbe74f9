import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Source } from './source-tree.ts';
import { documents } from './spec-clauses.ts';

/** Makes `docs/spec-coverage.md` from the titles of tests that name a clause of the specification. */

type Shown = { clause: string; what: string; path: string };

const titles = /\b(?:it|test|describe)\(\s*(['"`])§(\d-\d [^:]+): ((?:\\.|(?!\1).)+)\1/gs;

/** What the titles of a test file show. Throws for a clause that stands elsewhere than at the start of a title. */
function shownIn({ path, text }: Source): Shown[] {
  const shown = [...text.matchAll(titles)].map(([, , clause = '', title = '']) => ({
    clause,
    what: title
      .replaceAll(/\$\{[^}]*\}/g, '…')
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll('|', '\\|'),
    path,
  }));
  if (shown.length !== text.split(/§\d/).length - 1)
    throw new Error(`${path}: a clause is written as '§1-4 subject: …', at the start of a title`);
  return shown;
}

const sections = documents.flatMap(({ sections: all }, document) =>
  all.map(({ title, subjects }, section) => {
    const number = `${document + 1}-${section + 1}`;
    return { number, title, subjects: subjects.map((name) => ({ name, clause: `${number} ${name}` })) };
  }),
);

const tableOf = (rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : ['', '| subject | what is tested | in |', '|---|---|---|', ...rows];

/** The document of what the tests show. Throws for a clause that no document has. */
export function coverageOf(sources: readonly Source[]): string {
  const shown = sources.flatMap(shownIn);
  const clauses = new Set(sections.flatMap(({ subjects }) => subjects.map(({ clause }) => clause)));
  const unknown = shown.filter(({ clause }) => !clauses.has(clause));
  if (unknown.length > 0)
    throw new Error(unknown.map(({ path, clause }) => `${path}: there is no clause §${clause}`).join('\n'));
  const shownOf = (clause: string) => shown.filter((one) => one.clause === clause);
  return [
    '# Coverage of the specification',
    '',
    'Made by `npm run documents` from the titles of tests. A title that begins with a clause (`§1-4 coin flip: …` is',
    'document 1, section 4) stands here; each clause has the few tests that show it best. `test/spec-clauses.ts` lists',
    'the subjects of each section. What is not built, or shown by no title, is at the end of its section.',
    ...sections.flatMap(({ number, title, subjects }) => {
      const rows = subjects.flatMap(({ name, clause }) =>
        shownOf(clause).map(({ what, path }) => `| ${name} | ${what} | \`${path}\` |`),
      );
      const missing = subjects.filter(({ clause }) => shownOf(clause).length === 0).map(({ name }) => name);
      const document = documents[Number(number[0]) - 1];
      return [
        ...(number.endsWith('-1') ? ['', `## Document ${number[0]}: ${document?.title}`] : []),
        ...['', `### §${number} ${title}`, ...tableOf(rows)],
        ...(missing.length === 0 ? [] : ['', `Not built or not shown: ${missing.join(', ')}.`]),
      ];
    }),
    '',
  ].join('\n');
}

/** The test files of the project. */
export const testSources = (): Source[] =>
  globSync('{contract,server,web,test}/**/*.test.ts', { cwd: root, exclude: ['web/dist*/**'] })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
