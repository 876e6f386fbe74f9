import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/temporary-directory.ts';
import { ConfigFault, readConfig } from './config.ts';
import {
  chainsFolderOf,
  clusterFolderOf,
  markerFileOf,
  moveFormerFiles,
  recordFolderOf,
  secretsFolderOf,
} from './data-folders.ts';

const FORMER = [
  'postgres/PG_VERSION',
  'secrets/app-secret',
  'secrets/postgres-superuser',
  'payments.json',
  'payments/acts.json',
  'sandbox/coin',
];
const placesIn = (dataDir: string) => [
  join(clusterFolderOf(dataDir), 'PG_VERSION'),
  join(secretsFolderOf(dataDir), 'app-secret'),
  join(secretsFolderOf(dataDir), 'postgres-superuser'),
  markerFileOf(dataDir),
  join(recordFolderOf(dataDir), 'acts.json'),
  join(chainsFolderOf(dataDir), 'coin'),
];

/** A DATA_DIR as the former release leaves it. Each file has its own name as its text. */
function formerDirectory(): string {
  const dataDir = temporaryDirectory();
  for (const name of FORMER) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), name);
  }
  return dataDir;
}
const assertMoved = (dataDir: string) =>
  assert.deepEqual(
    placesIn(dataDir).map((place) => readFileSync(place, 'utf8')),
    FORMER,
  );

describe('a DATA_DIR of the former release', () => {
  it('is moved once, also after a start that was broken off', () => {
    const dataDir = formerDirectory();
    mkdirSync(join(dataDir, 'site'));
    renameSync(join(dataDir, 'postgres'), clusterFolderOf(dataDir));
    assert.deepEqual(moveFormerFiles(dataDir), []);
    assertMoved(dataDir);
    assert.deepEqual(moveFormerFiles(dataDir), []);
    assertMoved(dataDir);
    assert.deepEqual(moveFormerFiles(join(dataDir, 'new')), [], 'a first start has nothing to move');
    assert.equal(existsSync(join(dataDir, 'new')), false);
  });

  it('gives no command a new secret before it is moved', () => {
    const dataDir = formerDirectory();
    assert.throws(
      () => readConfig({ DATA_DIR: dataDir }),
      (error) =>
        error instanceof ConfigFault && /start the site once, which moves its files/.test(error.message),
    );
    assert.equal(existsSync(join(dataDir, 'site')), false);
    assert.deepEqual(moveFormerFiles(dataDir), []);
    assert.deepEqual(
      readConfig({ DATA_DIR: dataDir }).appSecret,
      Buffer.from('secrets/app-secret', 'base64'),
    );
  });

  it('keeps a PostgreSQL of another program where it is', () => {
    const dataDir = formerDirectory();
    rmSync(join(dataDir, 'secrets/postgres-superuser'));
    assert.deepEqual(moveFormerFiles(dataDir), []);
    assert.equal(existsSync(join(dataDir, 'postgres/PG_VERSION')), true);
    assert.equal(existsSync(join(secretsFolderOf(dataDir), 'app-secret')), true);
  });

  it('stays as it is while a person must look at a part of it', async () => {
    const dataDir = formerDirectory();
    const assertRefused = (reason: RegExp) => {
      const [line = '', ...others] = moveFormerFiles(dataDir);
      assert.match(line, reason);
      assert.deepEqual(others, []);
      assert.equal(readFileSync(join(dataDir, 'payments.json'), 'utf8'), 'payments.json');
    };
    mkdirSync(clusterFolderOf(dataDir), { recursive: true });
    assertRefused(/postgres and .*site\/postgres are there, so a former release was started again/);
    rmSync(clusterFolderOf(dataDir), { recursive: true });
    mkdirSync(recordFolderOf(dataDir), { recursive: true });
    assertRefused(/payments are there, .* add the lines of each file to the one of its name in the second/);
    rmSync(recordFolderOf(dataDir), { recursive: true });

    const server = spawn('sleep', ['60'], { cwd: join(dataDir, 'postgres'), stdio: 'ignore' });
    await once(server, 'spawn');
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${server.pid}\n`);
    assertRefused(/PostgreSQL \(process \d+\) still runs in/);
    server.kill();
    await once(server, 'exit');

    renameSync(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'));
    symlinkSync('elsewhere', join(dataDir, 'postgres'));
    assertRefused(/postgres can’t be moved \(it is a link\); move it to .*site\/postgres and start again/);
    rmSync(join(dataDir, 'postgres'));
    renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'postgres'));
    assert.deepEqual(moveFormerFiles(dataDir), []);
    assertMoved(dataDir);
  });
});
