import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { importsOf, readTree, root } from './source-tree.ts';

/**
 * `npm test -- changed [REVISION]`: the test files that a change since a revision, by default HEAD, reaches by imports.
 * What is not imported reaches by its place: SQL its feature's tests, a folder of the web the browser tests of its
 * name.
 */
export function changedTestsSince(revision: string): (file: string) => boolean {
  const changed = changedFiles(revision);
  const imports = new Map(
    ['contract', 'server', 'web', 'test', 'bench']
      .flatMap((folder) => readTree(`${root}/${folder}`))
      .map((source) => [source.path, importsOf(source)]),
  );
  const sqlFolders = changed.filter((path) => path.endsWith('.sql')).map(dirname);
  const webFeatures = changed
    .filter((path) => path.startsWith('web/'))
    .map(dirname)
    .map((path) => basename(path));
  return (file) => {
    if (/^test\/(static|[\w-]*tidy)\.test\.ts$/.test(file)) return true;
    if (sqlFolders.includes(dirname(file))) return true;
    if (file.endsWith('.e2e.test.ts') && webFeatures.some((feature) => file.includes(feature))) return true;
    return reachedFrom(file, imports).some((path) => changed.includes(path));
  };
}

function changedFiles(revision: string): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')];
}

function reachedFrom(file: string, imports: ReadonlyMap<string, string[]>): string[] {
  const reached = new Set([file]);
  // A set is walked in the order of adding, so files that are added here are walked too.
  for (const path of reached) for (const imported of imports.get(path) ?? []) reached.add(imported);
  return [...reached];
}
