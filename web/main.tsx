import './ui/fonts.css';
import './ui/own-font.css';
import './ui/tokens.css';
import './ui/base.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { startLanguage } from './client/language.ts';
import { registerWorker } from './offline/register-worker.ts';
import { App, prepareFirstScreen } from './shell/app.tsx';

/** Where the app begins. The nonce lets the library's own style elements pass the policy of the site. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

/** Not awaited at the top of the module: screens import what stands in this file's chunk, and would wait for it. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  await startLanguage(window.location.pathname, ['client', 'shell']);
  // The document of a member begins with a frame. It stays until the first screen can be drawn in one piece.
  if (root.hasChildNodes()) await prepareFirstScreen();
  createRoot(root).render(<App nonce={nonce} />);
  registerWorker();
}

void start();
