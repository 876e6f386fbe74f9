import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { compressFiles } from './compress.ts';
import { documentHead } from './document-head.ts';
import { type FramedScreen, type Screen, stylesOf, writeScreens } from './first-screen.ts';
import { stylePlugins } from './style-plugins.ts';

/**
 * Writes the static documents after each build: the front page, the text pages and the offline notice as HTML in both
 * languages (`documents/NAME.LANGUAGE.html`), the web manifest, and the service worker. The server replaces
 * placeholders such as `__BRAND_NAME__` with escaped text.
 *
 * A document contains its style sheet, with only the fonts of the characters on it, so that it paints without another
 * request.
 */

/** The same type as in `content/prerender.tsx`. */
type Rendered = {
  name: string;
  language: 'en' | 'ko';
  path: string | null;
  title: string;
  description: string;
  body: string;
};
type Renderer = {
  renderDocuments: () => Promise<Rendered[]>;
  renderManifest: (language: 'en' | 'ko') => Promise<string>;
  renderSkeleton: (screen: Screen) => string;
};

const optional = ['blog', 'careers'];

/** The characters of a balance, the only text of a skeleton. */
const BALANCE_LETTERS = '0123456789,\u00a0P';

/** Constants set by the build: the optional pages that have Markdown, and the background colour. */
export function constantsOf(root: string): Record<string, string> {
  const files = ['en', 'ko'].flatMap((language) => readdirSync(join(root, 'content', language)));
  const tokens = readFileSync(join(root, 'ui/tokens.css'), 'utf8');
  return {
    __MORE_PAGES__: JSON.stringify(optional.filter((name) => files.includes(`${name}.md`))),
    __PAPER_COLOR__: JSON.stringify(/--e-paper:\s*(#\w+)/.exec(tokens)?.[1]),
  };
}

/** The screens with a frame. The build imports only their list, because the code that they load is for browsers. */
async function readScreens(root: string): Promise<FramedScreen[]> {
  const file = await import(`${pathToFileURL(join(root, 'screens.ts')).href}?at=${Date.now()}`);
  const { memberScreens, operatorScreens } = file as Record<string, Record<string, Screen>>;
  return [
    ...Object.values(memberScreens ?? {}).map((screen) => ({ ...screen, area: 'shell/member-area.tsx' })),
    ...Object.values(operatorScreens ?? {}).map((screen) => ({ ...screen, area: 'shell/operator-area.tsx' })),
  ];
}

async function loadRenderer(root: string, dir: string): Promise<Renderer> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [react()],
    css: { postcss: { plugins: stylePlugins } },
    define: constantsOf(root),
    build: {
      ssr: true,
      outDir: dir,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { input: join(root, 'content/prerender.tsx') },
    },
  });
  return (await import(`${pathToFileURL(join(dir, 'prerender.js')).href}?at=${Date.now()}`)) as Renderer;
}

/**
 * Builds the parts of documents (templates with their style sheets, the page script, the service worker) into the app's
 * folder. Each is a separate build, because modules shared by two would become a file of their own and change the order
 * of the styles. Returns the written files.
 */
async function buildDocumentFiles(
  root: string,
  dir: string,
  common: InlineConfig,
): Promise<Rolldown.OutputBundle> {
  const inputs = {
    landing: 'landing.html',
    page: 'page.html',
    'page-script': 'content/page-script.ts',
    worker: 'offline/worker.ts',
    'frame-styles': 'content/frame-styles.ts',
  };
  const bundle: Rolldown.OutputBundle = {};
  for (const [name, file] of Object.entries(inputs)) {
    const built = (await build({
      ...common,
      configFile: false,
      logLevel: 'warn',
      plugins: [react(), ...(common.plugins ?? [])],
      build: {
        ...common.build,
        outDir: dir,
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: { input: { [name]: join(root, file) } },
      },
    })) as Rolldown.RolldownOutput;
    for (const output of built.output) bundle[output.fileName] = output;
  }
  return bundle;
}

/**
 * The style sheets that a template links, as one text, and the template without the links and scripts that the build
 * added.
 */
function takeStyles(dir: string, template: string): { page: string; css: string } {
  const links = [...template.matchAll(/[ \t]*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>\n?/g)];
  const css = links.map(([, href = '']) => readFileSync(join(dir, href), 'utf8')).join('\n');
  const page = template
    .replaceAll(/[ \t]*<link rel="(stylesheet|modulepreload)"[^>]*>\n?/g, '')
    .replaceAll(/[ \t]*<script type="module"[^>]*><\/script>\n?/g, '')
    .replaceAll(/[ \t]*<meta property="csp-nonce"[^>]*>\n?/g, '')
    .replaceAll(/\s*nonce="__CSP_NONCE__"/g, '');
  return { page, css };
}

const inRange = (code: number, range: string): boolean =>
  range.split(',').some((part) => {
    const [from = '', to = from] = part.trim().replace(/^U\+/i, '').split('-');
    return code >= Number.parseInt(from, 16) && code <= Number.parseInt(to, 16);
  });

/**
 * The style sheet without the fonts of characters that the document lacks. On an English page the only Korean text is
 * the name of the language, which the system font shows.
 */
function withFontsOf(css: string, { language, title, body }: Rendered): string {
  const text = title + body;
  return withFontsFor(css, language === 'en' ? text.replaceAll(/[가-힣]/g, '') : text);
}

/** The style sheet without the fonts that have no character of the text. */
function withFontsFor(css: string, text: string): string {
  const codes = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0);
  return css.replaceAll(/@font-face\s*\{[^}]*\}/g, (face) => {
    const range = /unicode-range:\s*([^;}]+)/.exec(face)?.[1];
    return range === undefined || codes.some((code) => inRange(code, range)) ? face : '';
  });
}

/** The style sheet without the tokens that neither it nor the document uses. */
function withTokensOf(css: string, { body }: Pick<Rendered, 'body'>): string {
  const used = new Set([...(css + body).matchAll(/var\(\s*(--e-[a-z0-9-]+)/g)].map((match) => match[1]));
  return css.replaceAll(/(--e-[a-z0-9-]+):[^;{}]*;?/g, (declaration, name) =>
    used.has(name) ? declaration : '',
  );
}

type Output = { dir: string; bundle: Rolldown.OutputBundle };

function chunkOf({ bundle }: Output, name: string): Rolldown.OutputChunk {
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === name) return chunk;
  throw new Error(`The build made no ${name}.`);
}

async function writeDocuments(output: Output, renderer: Renderer): Promise<void> {
  const { dir } = output;
  const folder = join(dir, 'documents');
  mkdirSync(folder, { recursive: true });
  // At the end and asynchronous, so that it does not delay the page.
  const script = `<script type="module" async src="/${chunkOf(output, 'page-script').fileName}"></script>`;
  const templates = {
    landing: takeStyles(dir, readFileSync(join(dir, 'landing.html'), 'utf8')),
    page: takeStyles(dir, readFileSync(join(dir, 'page.html'), 'utf8')),
  };
  const documents = await renderer.renderDocuments();
  for (const document of documents) {
    const { page, css } = document.name === 'landing' ? templates.landing : templates.page;
    const styles = `<style>${withTokensOf(withFontsOf(css, document), document)}</style>`;
    const html = page
      .replace('<html lang="en"', `<html lang="${document.language}"`)
      .replace('__HEAD__', () => documentHead(document))
      .replace('</head>', () => `  ${styles}\n  </head>`)
      .replace('__BODY__', () => `${document.body}\n    ${script}`);
    writeFileSync(join(folder, `${document.name}.${document.language}.html`), html);
  }
  for (const language of ['en', 'ko'] as const)
    writeFileSync(join(folder, `manifest.${language}.json`), await renderer.renderManifest(language));
}

/**
 * Moves the service worker out of the hashed files, because its URL must not change, and fills in the build's
 * constants.
 */
function writeWorker(output: Output): void {
  const { dir, bundle } = output;
  const worker = chunkOf(output, 'worker');
  const assets = Object.keys(bundle).sort();
  const latin = assets.filter((name) => /PretendardVariable\.subset\.91-/.test(name));
  const files = [
    '/offline?lang=en',
    '/offline?lang=ko',
    ...[chunkOf(output, 'page-script').fileName, ...latin].map((name) => `/${name}`),
  ];
  const code = worker.code
    .replaceAll('__OFFLINE_FILES__', JSON.stringify(files))
    .replaceAll('__BUILD__', JSON.stringify(worker.fileName.replace(/^.*-|\.js$/g, '') + digest(assets)));
  if (/\b(import|export)\b/.test(code.replaceAll(/"[^"]*"/g, '')))
    throw new Error('The service worker must stand alone.');
  writeFileSync(join(dir, 'sw.js'), code);
  rmSync(join(dir, worker.fileName));
}

/** The modules and imports of each file, for the test that no area loads another area's code. Browsers don't get it. */
function writeChunks({ dir, bundle }: Output, root: string): void {
  const chunks = Object.values(bundle).flatMap((chunk) => {
    if (chunk.type !== 'chunk') return [];
    const { fileName, imports, dynamicImports, moduleIds } = chunk;
    const modules = moduleIds.filter((id) => id.startsWith(root)).map((id) => id.slice(root.length));
    return [[fileName, { imports, dynamicImports, modules }]];
  });
  mkdirSync(join(dir, '.vite'), { recursive: true });
  writeFileSync(join(dir, '.vite/chunks.json'), JSON.stringify(Object.fromEntries(chunks)));
}

/** A short hash of a list of names. */
function digest(names: readonly string[]): string {
  let value = 0x811c9dc5;
  for (const letter of names.join('\n')) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return value.toString(36);
}

/** The plugin that writes all this after each build. @param common the settings that documents and app share */
export function prerender(root: string, common: InlineConfig): Plugin {
  return {
    name: 'prerender',
    apply: 'build',
    async writeBundle({ dir }, appBundle) {
      if (dir === undefined) throw new Error('The web is built into a folder.');
      const bundle = { ...appBundle, ...(await buildDocumentFiles(root, dir, common)) };
      const renderDir = join(dir, '.prerender');
      const renderer = await loadRenderer(root, renderDir);
      await writeDocuments({ dir, bundle }, renderer);
      const frame = chunkOf({ dir, bundle }, 'frame-styles').fileName;
      const screens = await readScreens(root);
      const body = screens.map(renderer.renderSkeleton).join('');
      writeScreens({
        dir,
        screens,
        bundle: appBundle,
        frameStyles: withTokensOf(withFontsFor(stylesOf(frame, dir, bundle), BALANCE_LETTERS), { body }),
        renderSkeleton: renderer.renderSkeleton,
      });
      rmSync(join(dir, frame));
      writeChunks({ dir, bundle }, root);
      writeWorker({ dir, bundle });
      rmSync(renderDir, { recursive: true });
      for (const template of ['landing.html', 'page.html']) rmSync(join(dir, basename(template)));
      await compressFiles(dir);
    },
  };
}
