import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { freePort } from './free-port.ts';

/** The real process, as `npm start` runs it, and a real Chromium before it. */
const root = resolve(import.meta.dirname, '..');
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

type Lifetime = { after: (callback: () => Promise<void>) => void };
export type Account = { email: string; password: string };
export type RunningSite = {
  origin: string;
  operator: Account;
  member: Account;
  /** What the process wrote to its log so far. */
  log: () => string;
};

const READY_MS_MAX = 90_000;

function readyLines(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`Not ready in time:\n${output()}`)), READY_MS_MAX);
    child.stdout?.on('data', () => {
      if (!/^Member: /m.test(output())) return;
      clearTimeout(timer);
      done(output());
    });
    child.on('exit', (code) => fail(new Error(`The site ended with ${code}:\n${output()}`)));
  });
}

/** Starts the site in sandbox mode on a free port with an empty data directory. */
export async function startedSite(
  lifetime: Lifetime,
  environment: Record<string, string> = {},
): Promise<RunningSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earnest-e2e-'));
  const port = String(await freePort());
  const child = spawn(process.execPath, ['server/start.ts'], {
    cwd: root,
    env: { ...process.env, PORT: port, SANDBOX_PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    logged += String(chunk);
  });
  lifetime.after(async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  const lines = await readyLines(child, () => said + logged);
  const account = (who: string): Account => {
    const [, email = '', password = ''] = new RegExp(`^${who}: (\\S+) (\\S+)$`, 'm').exec(lines) ?? [];
    return { email, password };
  };
  return {
    origin: /^Address: (\S+)$/m.exec(lines)?.[1] ?? '',
    operator: account('Operator'),
    member: account('Member'),
    log: () => logged,
  };
}

export async function openBrowser(lifetime: Lifetime): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    // Without the background switches Chromium asks its vendor's hosts, which a test has no business with.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  lifetime.after(() => browser.close());
  return browser;
}

/** A page that remembers every complaint of its console and every answer of 5xx. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, context, complaints };
}

/** What axe finds on the page as it is, frames of others left out. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
