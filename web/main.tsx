import './ui/fonts.css';
import './ui/font-subset.css';
import './ui/tokens.css';
import './ui/base.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { startLanguage } from './client/language.ts';
import { registerWorker } from './offline/register-worker.ts';
import { App, prepareFirstScreen } from './shell/app.tsx';

/** The entry of the app. The nonce lets the component library's style elements pass the content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

/** Not awaited at the top level: screens import from this file's chunk and would wait for it. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  await startLanguage(window.location.pathname, ['client', 'shell', 'announcements']);
  // A member's document contains a skeleton. It stays until the first screen can be rendered as a whole.
  if (root.hasChildNodes()) await prepareFirstScreen();
  createRoot(root).render(<App nonce={nonce} />);
  registerWorker();
}

void start();
