import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { contractAddresses } from './build/contract-addresses.ts';
import { fontSubset, fontSubsetStyles } from './build/font-subset.ts';
import { missingWords } from './build/missing-words.ts';
import { constantsOf, prerender } from './build/prerender.ts';
import { stylePlugins } from './build/style-plugins.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('../', import.meta.url));
const fontDir = `${repository}.cache/font-subset`;

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
 * The build of the app. Afterwards `build/prerender.ts` builds the visitors' documents and the service worker
 * separately, so that they share no file with the app. The server replaces `__CSP_NONCE__` in each answer.
 */
export default defineConfig({
  ...common,
  plugins: [
    react(),
    missingWords,
    fontSubset(root, fontDir),
    fontSubsetStyles(fontDir),
    contractAddresses(fileURLToPath(new URL('../contract/', import.meta.url))),
    prerender(root, { ...common, plugins: [keepStyles, missingWords, fontSubsetStyles(fontDir)] }),
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
