import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when the process ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'earnest-process-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
