import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const NO_SMALL_DISK = 'only root may make a small disk';

/** A folder on a disk of its own in memory. Undefined if only root may make one. */
export function smallDisk(
  lifetime: { after: (work: () => Promise<void>) => void },
  size: string,
): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]);
  if (made.status === 0)
    lifetime.after(async () => {
      // The logger of PostgreSQL ends a moment after it.
      spawnSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    });
  else rmdirSync(folder);
  return made.status === 0 ? folder : undefined;
}

/** Takes all space that is left, to the last kilobyte. */
export function fill(file: string): void {
  for (let bytes = 16 * 1024 ** 2; bytes >= 1_024; )
    try {
      appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      bytes /= 2;
    }
}
