import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the web into `web/dist`, with a stamp of all sources, so that a start without changes builds nothing. The
 * built documents are templates: the server replaces `__CSP_NONCE__` with a new nonce in each answer.
 */
const webDir = fileURLToPath(new URL('../', import.meta.url));
const rootDir = join(webDir, '..');
const distDir = join(webDir, 'dist');
const stampPath = join(distDir, '.stamp');

const isSource = (path: string) => !path.startsWith('web/dist') && !/\.test\.ts$/.test(path);

/** A hash of the files of the web and the contract and of the package lock. */
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

/** Whether the sources have changed since `web/dist` was built. Loads no build tool. */
export function isWebStale(): boolean {
  return !existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== stampOfSources();
}

/** Builds the web if it is stale. Returns whether it built. */
export async function buildWebIfStale(): Promise<boolean> {
  if (!isWebStale()) return false;
  await buildWeb();
  return true;
}

async function buildWeb(): Promise<void> {
  const stamp = stampOfSources();
  const build = await loadBuild();
  // Built beside the result and moved as a whole, so that a server or another build never reads a partial result.
  const outDir = join(webDir, `dist-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({ configFile: join(webDir, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  writeFileSync(join(outDir, '.stamp'), stamp);
  const oldDir = `${outDir}-old`;
  if (existsSync(distDir)) renameSync(distDir, oldDir);
  renameSync(outDir, distDir);
  rmSync(oldDir, { recursive: true, force: true });
}

/** Loads the build tool. A production install does not have it. */
async function loadBuild(): Promise<typeof import('vite').build> {
  try {
    return (await import('vite')).build;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'The web must be built, and the build tools are not installed. ' +
        'Run: npm ci && npm run build && npm prune --omit=dev\n',
    );
    process.exit(1);
  }
}

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await buildWebIfStale();
  else await buildWeb();
}
