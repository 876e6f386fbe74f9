import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { contractAddresses } from './contract-addresses.ts';
import { missingWords } from './missing-words.ts';
import { ownFont, ownFontStyles } from './own-font.ts';
import { constantsOf, prerender } from './prerender.ts';
import { stylePlugins } from './style-plugins.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('../', import.meta.url));
const ownFontDir = `${repository}.cache/own-font`;

/** Keeps style modules whose class names no script uses, because only the prerendered HTML has them. */
const keepStyles: Plugin = {
  name: 'keep-styles',
  enforce: 'post',
  transform(code, id) {
    return id.endsWith('.module.css') ? { code, map: null, moduleSideEffects: 'no-treeshake' } : null;
  },
};

/** Settings shared by the app and the prerendered documents. */
const common = {
  root,
  define: constantsOf(root),
  html: { cspNonce: '__CSP_NONCE__' },
  css: { postcss: { plugins: stylePlugins } },
  // The content security policy allows fonts from this site only, so a font must not become a data: URL.
  build: { assetsInlineLimit: 0 },
} satisfies UserConfig;

/**
 * The build of the app. Afterwards `prerender.ts` builds the visitors' documents and the service worker separately, so
 * that they share no file with the app. The server replaces `__CSP_NONCE__` in each answer.
 */
export default defineConfig({
  ...common,
  plugins: [
    react(),
    missingWords,
    ownFont(root, ownFontDir),
    ownFontStyles(ownFontDir),
    contractAddresses(fileURLToPath(new URL('../contract/', import.meta.url))),
    prerender(root, { ...common, plugins: [keepStyles, missingWords, ownFontStyles(ownFontDir)] }),
  ],
  build: {
    ...common.build,
    outDir: 'dist',
    emptyOutDir: true,
    // Every supported browser has module preloading.
    modulePreload: { polyfill: false },
    // The libraries of the first screen are one file on purpose.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { app: `${root}index.html` },
      output: { codeSplitting: { groups: chunkGroups(repository) } },
    },
  },
});
