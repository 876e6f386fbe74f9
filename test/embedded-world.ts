import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startedSite } from './running-site.ts';

/** A folder that is removed when the process ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'earnest-process-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Gives a new folder with the data of a site that ran once on an embedded PostgreSQL and was stopped. The first call
 * makes it. A start on it takes half the time of a first one.
 */
export function embeddedWorld(lifetime: Lifetime): () => Promise<string> {
  let made: Promise<string> | undefined;
  return async () => {
    made ??= firstWorld(lifetime);
    const world = await made;
    const copy = temporaryDirectory();
    // With their owner, who is another one than root.
    execFileSync('cp', ['-a', `${world}/.`, copy]);
    return copy;
  };
}

type Lifetime = { after: (work: () => Promise<void>) => void };

async function firstWorld(lifetime: Lifetime): Promise<string> {
  const directory = temporaryDirectory();
  const site = await startedSite(lifetime, { DATA_DIR: directory });
  assert.equal(await site.stop('SIGTERM'), 0, site.log());
  return directory;
}
