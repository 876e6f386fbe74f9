import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importsOf, readTree, root } from './source-tree.ts';

const screensAndFrame = ['screens', 'first-paint', 'navigation', 'keyboard'];
/** The browser files that show a folder of the web, below `web/` and below `web/admin/`. */
const shownBy: Record<string, readonly string[]> = {
  access: ['access', 'notices'],
  analytics: ['ways'],
  announcements: ['journey'],
  'audit-trail': ['overview-and-trail'],
  behaviour: ['keyboard'],
  bonus: ['home'],
  broadcasts: ['broadcast'],
  build: ['first-paint', 'navigation'],
  catalogue: ['catalogue', 'op-earning'],
  chat: ['chat', 'chat-history'],
  claims: ['sanctions', 'earn'],
  client: screensAndFrame,
  coinflip: ['home'],
  content: ['navigation', 'ways'],
  earning: ['earn', 'ways', 'waiting-work'],
  grants: ['waiting-work'],
  home: ['home', 'journey'],
  kit: ['operator-list', 'bulk-acts', 'queue'],
  landing: ['first-paint', 'navigation'],
  ledger: ['earn', 'books-and-wallets'],
  members: ['members', 'people', 'sanctions', 'waiting-work'],
  notices: ['notices', 'journey'],
  offline: ['first-paint'],
  overview: ['overview-and-trail', 'system'],
  panel: ['panel', 'system'],
  postbacks: ['op-earning'],
  risk: ['sanctions'],
  decisions: ['support'],
  public: ['first-paint'],
  referrals: ['notices'],
  settings: ['settings', 'books-and-wallets'],
  shell: [...screensAndFrame, 'panel'],
  support: ['desk', 'support'],
  ui: screensAndFrame,
  withdrawals: ['withdrawal', 'payouts', 'queue', 'approvals', 'bulk-acts', 'journey'],
};

const browserFile = (name: string): string => `test/${name}.e2e.test.ts`;
for (const name of new Set(Object.values(shownBy).flat()))
  assert.ok(existsSync(join(root, browserFile(name))), `There is no file ${browserFile(name)}`);

/**
 * `npm test -- changed [REVISION]`: the test files that a change since a revision, by default HEAD, reaches by imports.
 * What is not imported reaches by its place: SQL its feature's tests, a folder of the web the browser files of
 * `shownBy`.
 */
export function changedTestsSince(revision: string): (file: string) => boolean {
  const changed = changedFiles(revision);
  const imports = new Map(
    ['contract', 'server', 'web', 'test', 'bench']
      .flatMap((folder) => readTree(`${root}/${folder}`))
      .map((source) => [source.path, importsOf(source)]),
  );
  const sqlFolders = changed.filter((path) => path.endsWith('.sql')).map(dirname);
  const shownIn = changed
    .filter((path) => path.startsWith('web/'))
    .flatMap((path) => path.split('/').slice(1, -1))
    .flatMap((folder) => shownBy[folder] ?? []);
  return (file) => {
    if (/^test\/(static|[\w-]*tidy)\.test\.ts$/.test(file)) return true;
    if (sqlFolders.includes(dirname(file))) return true;
    if (shownIn.some((name) => file === browserFile(name))) return true;
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
