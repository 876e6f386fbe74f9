import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the web into `web/dist`. Beside the result lies a stamp of everything it was made from, so that a
 * start without a change builds nothing.
 *
 * The documents in there are templates: whoever serves one puts a fresh nonce in the place of `__CSP_NONCE__`.
 */
const webDir = fileURLToPath(new URL('.', import.meta.url));
const rootDir = join(webDir, '..');
const distDir = join(webDir, 'dist');
const stampPath = join(distDir, '.stamp');

const isSource = (path: string) => !path.startsWith('web/dist') && !/\.test\.ts$/.test(path);

/** One hash over the web's and the contract's files and the locked dependencies. */
function stampOfSources(): string {
  const hash = createHash('sha256');
  const files = ['web', 'contract'].flatMap((folder) =>
    readdirSync(join(rootDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(rootDir, join(entry.parentPath, entry.name))),
  );
  for (const path of [...files.filter(isSource).sort(), 'package-lock.json']) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(rootDir, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Whether what is in `web/dist` was made from other sources than these. Loads no build tool. */
export function isWebStale(): boolean {
  return !existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== stampOfSources();
}

/** Builds the web unless it is there already. Returns whether it built. */
export async function buildWebIfStale(): Promise<boolean> {
  if (!isWebStale()) return false;
  const stamp = stampOfSources();
  const { build } = await import('vite');
  // Built aside and moved there whole: a server that starts meanwhile, or a second build, never meets half a web.
  const outDir = join(rootDir, '.cache', `web-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({ configFile: join(webDir, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  writeFileSync(join(outDir, '.stamp'), stamp);
  rmSync(distDir, { recursive: true, force: true });
  renameSync(outDir, distDir);
  return true;
}

if (import.meta.main) {
  if (!process.argv.includes('--if-stale')) rmSync(stampPath, { force: true });
  await buildWebIfStale();
}
