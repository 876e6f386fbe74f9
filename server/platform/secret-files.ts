/** Generated secrets: one file each in the folder `secrets` of the site, readable only by its owner. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { secretsFolderOf } from './data-folders.ts';

const NAME = /^[a-z0-9-]+$/;

export const hasSecret = (dataDir: string, name: string): boolean =>
  fs.existsSync(path.join(secretsFolderOf(dataDir), name));

/** Reads the secret of this name. If there is no file, makes 32 random bytes as base64url. */
export function readOrMakeSecret(dataDir: string, name: string): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a name of a secret`);
  const directory = secretsFolderOf(dataDir);
  // The user that runs PostgreSQL must be able to enter the folder above.
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, name);
  if (!fs.existsSync(file)) writeWhole(file, `${randomBytes(32).toString('base64url')}\n`);
  const secret = fs.readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty`);
  return secret;
}

/** Writes a draft and links it, so that the file is never incomplete and a concurrent start's secret is kept. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = fs.openSync(draft, 'w', 0o600);
  fs.writeSync(handle, text);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft);
  }
}
