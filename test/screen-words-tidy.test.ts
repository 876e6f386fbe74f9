import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { root, type Source } from './source-tree.ts';
import { type Node, nodesOf } from './syntax.ts';
import { folderOfKey, keysIn } from './words.ts';

/**
 * Each screen names the features whose words it loads (`wordsOf` in `web/screens.ts`). They are those whose keys stand
 * in the screen's file and in the files that it imports statically. A dynamic import loads its words itself.
 */

type Screen = { path: string; load: () => Promise<unknown>; wordsOf: readonly string[] };

/** The features whose words every screen has before it is loaded. */
const ofFrame = new Set(['client', 'shell']);

const sourceOf = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** The file that an import or export of values loads. */
function fileOf(node: Node, path: string): string | undefined {
  const isStatic = /^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type);
  if (!isStatic || node.importKind === 'type' || node.exportKind === 'type') return undefined;
  const address = (node.source as Node | null)?.value as string | undefined;
  if (address?.startsWith('#web/')) return address.replace('#web/', 'web/');
  if (!address?.startsWith('.')) return undefined;
  return relative(root, resolve(root, dirname(path), address));
}

/** A file and the files that it imports statically. */
function filesFrom(path: string, found = new Map<string, Source>()): Map<string, Source> {
  if (found.has(path) || !/\.tsx?$/.test(path) || !existsSync(join(root, path))) return found;
  const source = sourceOf(path);
  found.set(path, source);
  for (const node of nodesOf(source)) {
    const next = fileOf(node, path);
    if (next !== undefined) filesFrom(next, found);
  }
  return found;
}

/** The features whose words a screen's files use. */
function featuresOf(file: string): string[] {
  const keys = [...filesFrom(file).values()].flatMap(keysIn);
  const features = keys.map(folderOfKey).filter((one) => one !== undefined);
  return [...new Set(features)].filter((feature) => !ofFrame.has(feature)).toSorted();
}

const address = join(root, 'web/screens.ts');
const { memberScreens, operatorScreens } = (await import(address)) as Record<string, Record<string, Screen>>;
const screens = [...Object.values(memberScreens ?? {}), ...Object.values(operatorScreens ?? {})];

describe('the words of a screen', () => {
  it('reads every screen', () => assert.ok(screens.length > 14));
  for (const { path, load, wordsOf } of screens)
    it(`are those that its files use: ${path}`, () => {
      const [, file] = /import\('\.\/([^']+)'\)/.exec(String(load)) ?? [];
      assert.deepEqual(featuresOf(`web/${file}`), wordsOf.toSorted());
    });
  it('are the client’s and the shell’s in the frame', () => {
    for (const file of ['main.tsx', 'shell/member-area.tsx', 'shell/operator-area.tsx'])
      assert.deepEqual(featuresOf(`web/${file}`), [], file);
  });
});
