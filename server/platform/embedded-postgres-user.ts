/**
 * As whom PostgreSQL runs. It refuses to be root, so when the program is root, an unprivileged user owns the
 * cluster and runs the server. Where that user cannot reach the files, because a directory above them is
 * closed to others (a checkout under /root), the server gets the one capability that opens directories,
 * through `setpriv` of util-linux; nothing is copied elsewhere and no directory's mode is changed.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export type SystemUser = { uid: number; gid: number; capability?: Capability };

/** Reading past closed directories; where the container does not grant that, also writing past them. */
const capabilities = ['dac_read_search', 'dac_override'] as const;
type Capability = (typeof capabilities)[number];

const PREFERRED_NAMES = ['postgres', 'earnest', 'nobody'];
const NAME_WHEN_NONE = 'earnest';

/** The user for the cluster in `directory`, which is handed to them; undefined when we are not root. */
export function userFor(directory: string, initdb: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = ownerOf(directory) ?? findUser() ?? makeUser();
  giveTo(directory, user);
  if (canReach(user, directory, initdb)) return user;
  for (const capability of capabilities) {
    const stronger = { ...user, capability };
    if (canReach(stronger, directory, initdb)) return stronger;
  }
  throw new Error(
    `PostgreSQL cannot run as root, and user ${user.uid} cannot reach ${path.dirname(directory)} or ${initdb}. ` +
      'Install util-linux (setpriv), or start as another user, or move the product and DATA_DIR ' +
      'to where every directory above them may be entered.',
  );
}

/** Starts a program as the user, or as ourselves when there is none. */
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
    // Without this access(2), which initdb asks before it runs a program, would not count the capability.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
    '--',
  ];
  return { command: 'setpriv', args: [...privileges, program, ...args], ids: {} };
}

/** The server needs no secret of ours, and PG* variables meant for clients would mislead it. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { PATH, SystemRoot, TEMP, LC_ALL: 'C' };
}

/** Asks initdb to show its settings: for that it looks for the other programs and files, and makes nothing. */
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
  throw new Error(
    `PostgreSQL cannot run as root, and no user could be made for it: ${made.stderr ?? made.error}. ` +
      'Start as another user, or use DATABASE_URL.',
  );
}

/** A cluster that root restored from a backup belongs to root until here. */
function giveTo(directory: string, user: SystemUser): void {
  const stat = fs.statSync(directory, { throwIfNoEntry: false });
  if (!stat || stat.uid === user.uid) return;
  fs.chownSync(directory, user.uid, user.gid);
  for (const entry of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(path.join(directory, entry), user.uid, user.gid);
  }
}
