/** Secrets that the product makes for itself: one file each in DATA_DIR/secrets, readable by its owner alone. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const NAME = /^[a-z0-9-]+$/;

/** The secret of this name, 32 random bytes as base64url unless the file holds another text. */
export function readOrMakeSecret(dataDir: string, name: string): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a name of a secret`);
  const directory = path.join(dataDir, 'secrets');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, name);
  if (!fs.existsSync(file)) writeWhole(file, `${randomBytes(32).toString('base64url')}\n`);
  const secret = fs.readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty`);
  return secret;
}

/** Never half a file, and never one that a concurrent start already used replaced by another. */
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
