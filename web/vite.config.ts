import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractAddresses } from './contract-addresses.ts';
import { constantsOf, prerender } from './prerender.ts';
import { stylePlugins } from './style-plugins.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

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

/**
 * The app; the templates of the front page and of the pages of text, with one small script of their own, so that a
 * visitor never loads the component library; and the service worker. The server puts its nonce of the moment where
 * `__CSP_NONCE__` stands.
 */
export default defineConfig({
  root,
  plugins: [
    react(),
    keepStyles,
    contractAddresses(fileURLToPath(new URL('../contract/', import.meta.url))),
    prerender(root),
  ],
  define: constantsOf(root),
  html: { cspNonce: '__CSP_NONCE__' },
  css: { postcss: { plugins: stylePlugins } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the site allows fonts from the site alone, so none may become a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        app: `${root}index.html`,
        landing: `${root}landing.html`,
        page: `${root}page.html`,
        'page-script': `${root}content/page-script.ts`,
        worker: `${root}offline/worker.ts`,
      },
    },
  },
});
