import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { announcementScript, balanceScript, callsScript, startScript } from './first-scripts.ts';

/**
 * Builds the document of each screen of members and operators. It contains the skeleton, so that the first paint needs
 * no other file. It starts the calls that every screen needs. It names the files of its screen, so that they load in
 * parallel.
 *
 * `documents/screen.html` is the template; `documents/screens.json` has the parts of each screen by its path.
 */
export type Screens = Record<
  string,
  { head: string; words: Record<'en' | 'ko', string>; frame: string; styles: string }
>;

type Files = { scripts: string[]; styles: string[] };

/** A screen of `screens.ts`. */
export type Screen = {
  path: string;
  load: () => Promise<unknown>;
  wordsOf: readonly string[];
  /** Of members' screens. All operators' screens have the skeleton of a list. */
  skeleton?: 'home' | 'list' | 'form';
};

/** A screen and the file of the frame around it. */
export type FramedScreen = Screen & { area: string };

/** The features whose words every screen needs, as `main.tsx` loads them. */
const featuresOfFrame = ['client', 'shell', 'announcements'];

/** The file below `web` that a screen loads. @throws Error if `load` is more than the import of one file */
export function moduleOf({ path, load }: Pick<Screen, 'path' | 'load'>): string {
  const [, module] = /^\(\) =>\s*import\('\.\/([^']+)'\)$/.exec(String(load)) ?? [];
  if (module === undefined) throw new Error(`The screen ${path} is not loaded by an import alone: ${load}`);
  return module;
}

/** The file of a module and the files that it imports statically. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): Files {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/${module}`)));
  if (first === undefined) throw new Error(`No file holds ${module}.`);
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) add(byName.get(name));
  };
  add(first);
  const styles = [...found].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return { scripts: [...found].map(({ fileName }) => fileName), styles };
}

const preloads = (names: readonly string[], known: readonly string[] = []): string =>
  unique(names)
    .filter((name) => !known.includes(name))
    .map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`)
    .join('\n    ');

const unique = (names: readonly string[]) => [...new Set(names)];

/** The style sheets of a chunk as one text, those of its imports first. */
export function stylesOf(name: string, dir: string, bundle: Rolldown.OutputBundle): string {
  const names: string[] = [];
  const add = (fileName: string): void => {
    const chunk = bundle[fileName];
    if (chunk?.type !== 'chunk') return;
    chunk.imports.forEach(add);
    names.push(...(chunk.viteMetadata?.importedCss ?? []));
  };
  add(name);
  return unique(names)
    .map((file) => readFileSync(join(dir, file), 'utf8'))
    .join('\n');
}

type Sources = {
  dir: string;
  screens: readonly FramedScreen[];
  bundle: Rolldown.OutputBundle;
  frameStyles: string;
  renderSkeleton: (screen: Screen) => string;
};

const stylesheet = /[ \t]*<link rel="stylesheet"[^>]*>\n?/g;
const script = /[ \t]*<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>\n?/;

/** The app's document with placeholders for the parts of a screen. The app's own links follow the skeleton. */
function templateOf(html: string, frameStyles: string): string {
  const links = [...html.matchAll(stylesheet)].map(([link]) => link.trim()).join('\n    ');
  const [, app] = script.exec(html) ?? [];
  if (app === undefined) throw new Error('The document has no script of the app.');
  const head = `  ${callsScript}
    ${announcementScript}
    <style nonce="__CSP_NONCE__">${frameStyles}</style>
    __SCREEN_HEAD__
    __SCREEN_WORDS__
  </head>`;
  const body = `<div id="root">__SCREEN_FRAME__</div>
    ${balanceScript}
    ${links}
    __SCREEN_STYLES__
    ${startScript(app)}`;
  return html
    .replaceAll(stylesheet, '')
    .replace(script, '')
    .replace('</head>', () => head)
    .replace('<div id="root"></div>', () => body);
}

/** Preloads the Korean font, because the fallback font wraps lines differently and the layout would shift. */
function koreanFontPreload(bundle: Rolldown.OutputBundle): string {
  const name = Object.keys(bundle).find((file) => /^assets\/korean-[^/]*\.woff2$/.test(file));
  if (name === undefined) throw new Error('The build made no font of Korean letters');
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`;
}

/** Writes the template and the parts of each screen. */
export function writeScreens(sources: Sources): void {
  const { dir, bundle, frameStyles, renderSkeleton } = sources;
  const html = readFileSync(join(dir, 'index.html'), 'utf8');
  const koreanFont = koreanFontPreload(bundle);
  const screens: Screens = {};
  for (const screen of sources.screens) {
    const { path, wordsOf } = screen;
    const area = filesOf(screen.area, bundle);
    const own = filesOf(moduleOf(screen), bundle);
    const wordsIn = (language: string): string =>
      preloads(
        [...featuresOfFrame, ...wordsOf].flatMap(
          (feature) => filesOf(`${feature}/words.${language}.json`, bundle).scripts,
        ),
        scripts,
      );
    const scripts = unique([...area.scripts, ...own.scripts]);
    const styles = unique([...area.styles, ...own.styles]).filter((name) => !html.includes(name));
    screens[path] = {
      head: preloads(scripts),
      words: { en: wordsIn('en'), ko: `${koreanFont}\n    ${wordsIn('ko')}` },
      frame: renderSkeleton(screen),
      styles: styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`).join('\n    '),
    };
  }
  writeFileSync(join(dir, 'documents/screen.html'), templateOf(html, frameStyles));
  writeFileSync(join(dir, 'documents/screens.json'), JSON.stringify(screens));
}
