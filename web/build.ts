import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Builds the web into `web/dist`: the app (`index.html`), and the front page as finished HTML in both languages
 * (`landing.en.html`, `landing.ko.html`). Beside the result lies a stamp of everything it was made from, so that a start
 * without a change builds nothing.
 *
 * Each of the three documents is a template. Whoever serves it puts a fresh nonce in the place of `__CSP_NONCE__`; in the
 * front page also the site's name for `__BRAND_NAME__` and its address for `__SUPPORT_EMAIL__`, escaped for HTML.
 */
const webDir = fileURLToPath(new URL('.', import.meta.url));
const rootDir = join(webDir, '..');
const distDir = join(webDir, 'dist');
const stampPath = join(distDir, '.stamp');

/** What the prerendering gives back; `landing/prerender.tsx` says the same on its side. */
type Rendered = { title: string; description: string; body: string };

const isSource = (path: string) =>
  !path.startsWith(`web/dist`) && !path.endsWith('.test.ts') && !path.endsWith('.md');

/** One hash over the web's and the contract's files and the locked dependencies. */
export function stampOfSources(): string {
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

/** Whether what is there was made from other sources. Cheap: it loads no build tool. */
export function isWebStale(): boolean {
  return !existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== stampOfSources();
}

/** Builds the web unless what is there was made from these very sources. Returns whether it built. */
export async function buildWebIfStale(): Promise<boolean> {
  if (!isWebStale()) return false;
  const stamp = stampOfSources();
  await buildWeb();
  writeFileSync(stampPath, stamp);
  return true;
}

async function buildWeb(): Promise<void> {
  const { build } = await import('vite');
  const configFile = join(webDir, 'vite.config.ts');
  await build({ configFile, logLevel: 'warn' });
  const renderDir = join(distDir, '.prerender');
  await build({
    configFile,
    logLevel: 'warn',
    build: {
      ssr: join(webDir, 'landing/prerender.tsx'),
      outDir: renderDir,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { input: join(webDir, 'landing/prerender.tsx') },
    },
  });
  const module = (await import(
    `${pathToFileURL(join(renderDir, 'prerender.js')).href}?at=${Date.now()}`
  )) as {
    renderLanding: (language: 'en' | 'ko') => Promise<Rendered>;
  };
  const template = readFileSync(join(distDir, 'landing.html'), 'utf8');
  for (const language of ['en', 'ko'] as const) {
    const page = fillIn(template, language, await module.renderLanding(language));
    writeFileSync(join(distDir, `landing.${language}.html`), page);
  }
  rmSync(renderDir, { recursive: true });
  rmSync(join(distDir, 'landing.html'));
}

function fillIn(template: string, language: string, page: Rendered): string {
  return template
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace('__TITLE__', () => page.title)
    .replace('__DESCRIPTION__', () => page.description)
    .replace('__BODY__', () => page.body);
}

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await buildWebIfStale();
  else {
    rmSync(stampPath, { force: true });
    await buildWebIfStale();
  }
}
