/**
 * The system user that runs PostgreSQL. PostgreSQL refuses to run as root, so if the program runs as root, an
 * unprivileged user owns the cluster and runs the server. If a directory above the files is closed to that user (a
 * checkout under /root), the server gets one capability to pass it, through `setpriv` of util-linux. No file is copied
 * and no directory's mode is changed.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ConfigFault } from './config.ts';

export type SystemUser = { uid: number; gid: number; capability?: Capability };

/** The weaker capability first: to read past closed directories, and, if a container withholds it, to write too. */
const capabilities = ['dac_read_search', 'dac_override'] as const;
type Capability = (typeof capabilities)[number];

const PREFERRED_NAMES = ['postgres', 'earnest', 'nobody'];
const NAME_WHEN_NONE = 'earnest';

/** Finds or makes the user for the cluster and gives them `directory`. Undefined if the program is not root. */
export function userFor(directory: string, initdb: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = ownerOf(directory) ?? findUser() ?? makeUser();
  giveTo(directory, user);
  if (canReach(user, directory, initdb)) return user;
  for (const capability of capabilities) {
    const stronger = { ...user, capability };
    if (canReach(stronger, directory, initdb)) return stronger;
  }
  throw new ConfigFault([
    `DATA_DIR: PostgreSQL cannot run as root, and user ${user.uid} cannot reach ${path.dirname(directory)} or ` +
      `${initdb}. Install util-linux (setpriv), or start as another user, or move the product and DATA_DIR ` +
      'to where every directory above them may be entered.',
  ]);
}

/** Starts a program as the user; without one, as the current user. */
export function spawnAs(
  user: SystemUser | undefined,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const { command, args: allArgs, ids } = commandAs(user, program, args);
  return spawn(command, allArgs, { ...options, ...ids, cwd: '/', env: environment() });
}

function commandAs(user: SystemUser | undefined, program: string, args: readonly string[]) {
  if (!user?.capability) {
    return { command: program, args: [...args], ids: user ? { uid: user.uid, gid: user.gid } : {} };
  }
  const privileges = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=+${user.capability}`,
    `--ambient-caps=+${user.capability}`,
    // initdb checks programs with access(2), which respects the capability only with this bit.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
    '--',
  ];
  return { command: 'setpriv', args: [...privileges, program, ...args], ids: {} };
}

/**
 * Passes on neither our secrets nor PG* variables, which are for clients and would change the server's settings. If
 * the program runs under Debian's `faketime`, the server does too, because the site's time is the server's.
 */
function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC } = process.env;
  const time = FAKETIME === undefined ? {} : { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC };
  return { PATH, SystemRoot, TEMP, LC_ALL: 'C', ...time };
}

/** Whether the user can run initdb there. Runs `initdb --show`, which looks for its files and writes nothing. */
function canReach(user: SystemUser, directory: string, initdb: string): boolean {
  const script = 'cd "$1" && exec "$2" --show --pgdata="$1"';
  const place = path.dirname(directory);
  const { command, args, ids } = commandAs(user, '/bin/sh', ['-c', script, 'sh', place, initdb]);
  return spawnSync(command, args, { ...ids, cwd: '/', env: environment(), stdio: 'ignore' }).status === 0;
}

function ownerOf(directory: string): SystemUser | undefined {
  const stat = fs.statSync(directory, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

function findUser(): SystemUser | undefined {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const users = new Map(
    lines.map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      return [name, { uid: Number(uid), gid: Number(gid) }] as const;
    }),
  );
  for (const name of PREFERRED_NAMES) {
    const user = users.get(name);
    if (user && user.uid > 0) return user;
  }
  return undefined;
}

function makeUser(): SystemUser {
  const args = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME_WHEN_NONE];
  const made = spawnSync('useradd', args, { encoding: 'utf8' });
  const user = findUser();
  if (user) return user;
  const why = String(made.stderr ?? made.error)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' | ');
  throw new ConfigFault([
    `DATABASE_URL: PostgreSQL cannot run as root, and no user could be made for it (${why}). ` +
      'Start as another user, or name a database.',
  ]);
}

/** Gives all files of the cluster to the user. A cluster that root restored from a backup belongs to root. */
function giveTo(directory: string, user: SystemUser): void {
  const stat = fs.statSync(directory, { throwIfNoEntry: false });
  if (!stat || stat.uid === user.uid) return;
  fs.chownSync(directory, user.uid, user.gid);
  for (const entry of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(path.join(directory, entry), user.uid, user.gid);
  }
}
