import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';
import type { ChainEntry } from './coin-node.ts';
import { coins } from './coin-registry.ts';
import { demoAddress } from './demo-addresses.ts';
import { type Html, html, verbatim } from './html.ts';
import type { OutboxMessage } from './outbox.ts';

/** The sandbox's page, in the site's colours: outbox, chain, walls, and the clock. */
export type SandboxView = {
  outbox: readonly OutboxMessage[];
  clock: { now: Date; siteDay: string };
  walls: readonly { name: string; url: string }[];
  chain: readonly ChainEntry[];
  config: Config;
};

const tokens = fileURLToPath(new URL('../../web/ui/tokens.css', import.meta.url));

const layout = `
* { box-sizing: border-box }
body { margin: 0; background: var(--e-paper); color: var(--e-ink); font: 400 15px/1.5 system-ui, sans-serif }
main { max-width: 960px; margin: 0 auto; padding: 32px 32px 64px }
h1 { font-size: 28px; line-height: 36px; letter-spacing: -0.024em; margin: 0 0 4px }
h2 { font-size: 18px; line-height: 26px; letter-spacing: -0.018em; margin: 0 0 8px }
ul + h2 { margin-top: 24px }
p { margin: 0 0 12px; max-width: 70ch }
.lead, time, .quiet { color: var(--e-ink-3) }
section { background: var(--e-sheet); border: 1px solid var(--e-line); border-radius: 14px; padding: 24px;
  margin-top: 24px; min-width: 0 }
.two { display: grid; gap: 0 24px; grid-template-columns: 1fr 1fr }
ul { list-style: none; margin: 0; padding: 0 }
li + li { border-top: 1px solid var(--e-line) }
li { padding: 12px 0 }
li p { margin: 4px 0 0; white-space: pre-wrap; overflow-wrap: anywhere }
a { color: var(--e-green-text) }
.head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline }
.head time { margin-left: auto }
.kind { background: var(--e-wait-soft); color: var(--e-wait); border-radius: 6px; padding: 1px 8px; font-size: 13px;
  font-weight: 600 }
code { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.code { font-size: 20px; letter-spacing: .08em }
.figure { font-size: 20px; font-weight: 660; font-variant-numeric: tabular-nums }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: end }
label { display: block; font-weight: 600; font-size: 14px }
input { font: inherit; color: inherit; background: var(--e-sheet); border: 1px solid var(--e-line-strong);
  border-radius: 8px; min-height: 44px; padding: 0 12px; width: 140px; display: block }
button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 16px; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--e-line-strong); background: none; color: var(--e-ink) }
button.main { background: var(--e-green); border-color: var(--e-green); color: var(--e-on-green) }
:focus-visible { outline: 2px solid var(--e-focus); outline-offset: 3px }
@media (max-width: 767px) { main { padding: 16px 16px 48px } section { padding: 16px; margin-top: 16px }
  .two { grid-template-columns: 1fr } .head time { margin-left: 0; width: 100% } }`;

/** The style sheet: the web's colour tokens and this page's layout. */
export const pageStyle = async (): Promise<Html> => verbatim((await readFile(tokens, 'utf8')) + layout);

const firstScript = verbatim(`
try {
  const kept = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
} catch {
  // Without storage the page keeps the light scheme.
}`);

/** Reloads the page after a new message, and advances the clock. A failed look at the outbox is repeated after 3 s. */
const lastScript = (newestId: string) =>
  verbatim(`
const say = (text) => { document.getElementById('said').textContent = text };
const advance = async (advanceSeconds) => {
  const answer = await fetch('/sandbox/clock', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }) });
  if (answer.ok) location.reload();
  else say((await answer.json()).detail);
};
for (const button of document.querySelectorAll('[data-seconds]'))
  button.addEventListener('click', () => advance(Number(button.dataset.seconds)));
document.getElementById('clock').addEventListener('submit', (event) => {
  event.preventDefault();
  advance(Number(document.getElementById('seconds').value));
});
setInterval(async () => {
  if (document.hidden || document.activeElement?.tagName === 'INPUT') return;
  const answer = await fetch('/sandbox/outbox').catch(() => undefined);
  if (answer?.ok && ((await answer.json()).at(-1)?.id ?? '') !== ${JSON.stringify(newestId)}) location.reload();
}, 3000);`);

export function sandboxPage(view: SandboxView, style: Html, nonce: string): string {
  const body = html`<main><h1>Sandbox</h1>
<p class="lead">Simulates all outside services: nothing here leaves this machine, and a live site has none of it.
<a href="/">To the site</a></p>
<div class="two">${[clockPart(view), wallsPart(view)]}</div>
${[outboxPart(view.outbox), chainPart(view)]}</main>`;
  return html`<!doctype html>
<html lang="en" data-mantine-color-scheme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml"><script nonce="${nonce}">${firstScript}</script>
<style nonce="${nonce}">${style}</style></head><body>${body}
<script nonce="${nonce}">${lastScript(view.outbox.at(-1)?.id ?? '')}</script></body></html>`.html;
}

const timeText = (moment: Date | string, timeZone: string): string =>
  new Date(moment).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'medium' });

function clockPart({ clock, config }: SandboxView): Html {
  return html`<section aria-labelledby="h-clock"><h2 id="h-clock">Business time</h2>
<p><span class="figure">${timeText(clock.now, config.siteTimezone)}</span><br>
<span class="quiet">${config.siteTimezone}, site day ${clock.siteDay}. It moves forward only.</span></p>
<p class="row"><button type="button" data-seconds="3600">1 hour on</button>
<button type="button" data-seconds="86400">1 day on</button>
<button type="button" data-seconds="604800">7 days on</button></p>
<form id="clock" class="row"><label for="seconds">Seconds
<input id="seconds" type="number" min="1" step="1" required></label>
<button class="main">Advance</button></form><p id="said" role="status"></p></section>`;
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

function wallsPart({ walls }: SandboxView): Html {
  const links = walls.map(
    ({ name, url }) => html`<li><a href="${url}" target="_blank" rel="noreferrer">${name}</a></li>`,
  );
  const rates = coins.map(
    ({ name, prices: { usd } }) =>
      html`<li class="head">${name} <span class="figure">${dollars.format(usd)}</span></li>`,
  );
  return html`<section aria-labelledby="h-walls"><h2 id="h-walls">Walls of the demo member</h2>
<ul>${links}</ul><h2>Rates</h2><ul>
${rates}</ul>
<p class="quiet">As JSON: <a href="/sandbox/outbox">outbox</a>, <a href="/sandbox/chain">chain</a>,
<a href="/sandbox/rates">rates</a></p></section>`;
}

const SHOWN_MAX = 100;

function outboxPart(outbox: readonly OutboxMessage[]): Html {
  const rows = outbox
    .slice(-SHOWN_MAX)
    .toReversed()
    .map(
      (
        message,
      ) => html`<li><div class="head"><span class="kind">${message.kind === 'sms' ? 'Text' : 'Mail'}</span>
<strong>${message.to}</strong>${message.subject === null ? [] : [html`<span>${message.subject}</span>`]}
<time datetime="${message.createdAt}">${message.createdAt.replace('T', ' ').slice(0, 19)} UTC</time></div>
${message.code === null ? [] : [html`<p><code class="code">${message.code}</code></p>`]}<p>${message.text}</p></li>`,
    );
  const none = html`<p class="quiet">Nothing has been sent yet. Verify a phone number, and its code appears here.</p>`;
  return html`<section aria-labelledby="h-outbox"><h2 id="h-outbox">Outbox</h2>
${rows.length === 0 ? none : html`<ul>${rows}</ul>`}</section>`;
}

function chainPart({ chain, config }: SandboxView): Html {
  const rows = chain
    .slice(-SHOWN_MAX)
    .toReversed()
    .map(
      (entry) => html`<li><div class="head"><strong class="figure">${entry.amount}</strong> ${entry.coin}
<span class="quiet">confirmations: ${entry.confirmations}</span></div>
<p>to <code>${entry.address}</code></p><p class="quiet">in <code>${entry.txId}</code></p></li>`,
    );
  const coin = coins[0]?.name ?? 'coin';
  const none = html`<p class="quiet">No payment yet. Approve a ${coin} withdrawal, and it appears here.</p>`;
  const addresses = coins.map(
    (one) => html`<li>${one.name} <code>${demoAddress(one, one.networkOf(config), 'a visitor')}</code></li>`,
  );
  return html`<section aria-labelledby="h-chain"><h2 id="h-chain">Chain</h2>
<p class="quiet">Addresses for a withdrawal of yours, which nobody has the keys of:</p><ul>${addresses}</ul>
${rows.length === 0 ? none : html`<ul>${rows}</ul>`}</section>`;
}
