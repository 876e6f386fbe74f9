import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

/** What the prerendering gives back; `landing/prerender.tsx` says the same on its side. */
type Rendered = { title: string; description: string; body: string };

const languages = ['en', 'ko'] as const;

/**
 * After each build, writes the front page as finished HTML in both languages: `landing.en.html` and
 * `landing.ko.html` in the place of `landing.html`. Whoever serves them puts the site's name for
 * `__BRAND_NAME__` and its address for `__SUPPORT_EMAIL__`, escaped for HTML.
 */
export function prerenderFrontPage(root: string): Plugin {
  return {
    name: 'prerender-front-page',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The web is built into a folder.');
      const renderDir = join(dir, '.prerender');
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        plugins: [react()],
        build: {
          ssr: true,
          outDir: renderDir,
          emptyOutDir: true,
          copyPublicDir: false,
          rolldownOptions: { input: join(root, 'landing/prerender.tsx') },
        },
      });
      const renderer = (await import(
        `${pathToFileURL(join(renderDir, 'prerender.js')).href}?at=${Date.now()}`
      )) as { renderLanding: (language: (typeof languages)[number]) => Promise<Rendered> };
      const template = readFileSync(join(dir, 'landing.html'), 'utf8');
      for (const language of languages) {
        const page = fillIn(template, language, await renderer.renderLanding(language));
        writeFileSync(join(dir, `landing.${language}.html`), page);
      }
      rmSync(renderDir, { recursive: true });
      rmSync(join(dir, 'landing.html'));
    },
  };
}

function fillIn(template: string, language: string, page: Rendered): string {
  return template
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace('__TITLE__', () => page.title)
    .replace('__DESCRIPTION__', () => page.description)
    .replace('__BODY__', () => page.body);
}
