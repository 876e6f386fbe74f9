import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { contractAddresses } from './contract-addresses.ts';
import { ownFont } from './own-font.ts';
import { constantsOf, prerender } from './prerender.ts';
import { stylePlugins } from './style-plugins.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('../', import.meta.url));

/**
 * Keeps style modules whose class names no script uses: the prerendered front page has them in its HTML alone.
 */
const keepStyles: Plugin = {
  name: 'keep-styles',
  enforce: 'post',
  transform(code, id) {
    return id.endsWith('.module.css') ? { code, map: null, moduleSideEffects: 'no-treeshake' } : null;
  },
};

/** What the app and the finished documents are built with alike. */
const common = {
  root,
  define: constantsOf(root),
  html: { cspNonce: '__CSP_NONCE__' },
  css: { postcss: { plugins: stylePlugins } },
  // The policy of the site allows fonts from the site alone, so none may become a data: address.
  build: { assetsInlineLimit: 0 },
} satisfies UserConfig;

/**
 * The app. `prerender.ts` builds what a visitor gets, and the service worker, after it and on their own, so that they
 * share no file with the app. The server puts its nonce of the moment where `__CSP_NONCE__` stands.
 */
export default defineConfig({
  ...common,
  plugins: [
    react(),
    ownFont(root, `${repository}.cache/own-font`),
    contractAddresses(fileURLToPath(new URL('../contract/', import.meta.url))),
    prerender(root, { ...common, plugins: [keepStyles] }),
  ],
  build: {
    ...common.build,
    outDir: 'dist',
    emptyOutDir: true,
    // Every browser that runs the app knows the link.
    modulePreload: { polyfill: false },
    // The libraries of the first screen are one file on purpose.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { app: `${root}index.html` },
      output: { codeSplitting: { groups: chunkGroups(repository) } },
    },
  },
});
