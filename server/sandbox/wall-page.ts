import type { Offer, WallForm } from '../earning/providers/wall.ts';
import { type Html, html, verbatim } from './html.ts';
import type { KeptCall } from './wall-calls.ts';
import type { SimulatedWall } from './wall-registry.ts';

/**
 * The page of the simulated walls. It does not look like the site, as a real wall does not, and has no script: every
 * button is a form, so that it works in a frame of any policy.
 */
const style = (hue: number): Html =>
  verbatim(`
  * { box-sizing: border-box }
  body { margin: 0; font: 16px/1.5 Arial, Helvetica, sans-serif; color: hsl(${hue} 20% 14%);
    background: hsl(${hue} 24% 96%) }
  header { background: hsl(${hue} 62% 27%); color: white }
  header p { margin: 0; font-size: 14px }
  h1 { font-size: 22px; line-height: 1.3; margin: 0 }
  h2 { font-size: 17px; margin: 0 }
  h2.part { margin: 28px 0 8px }
  header > div, main, footer { max-width: 760px; margin: 0 auto; padding: 16px }
  footer { padding-bottom: 32px; font-size: 14px; color: hsl(${hue} 12% 34%) }
  ul { list-style: none; margin: 0; padding: 0 }
  li.offer { background: white; border: 1px solid hsl(${hue} 20% 84%); border-radius: 4px; padding: 14px 16px;
    margin-bottom: 10px; display: grid; grid-template-columns: 1fr auto; gap: 2px 16px }
  li.offer p { margin: 0; font-size: 14px; color: hsl(${hue} 12% 34%) }
  .reward { font-weight: bold; text-align: right; white-space: nowrap }
  .minutes { text-align: right; white-space: nowrap }
  form { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px }
  button { font: inherit; font-size: 15px; min-height: 44px; padding: 0 16px; border-radius: 4px; cursor: pointer;
    border: 1px solid hsl(${hue} 40% 40%); background: white; color: hsl(${hue} 62% 24%) }
  button.main { background: hsl(${hue} 62% 27%); color: white; border-color: hsl(${hue} 62% 27%) }
  button:focus-visible { outline: 3px solid hsl(${hue} 80% 45%); outline-offset: 2px }
  .answer { background: white; border-left: 4px solid hsl(${hue} 62% 27%); padding: 10px 14px; margin: 0 0 16px }
  .answer.bad { border-left-color: hsl(4 70% 40%) }
  li.call { font-size: 14px; padding: 8px 0; border-bottom: 1px solid hsl(${hue} 20% 84%); overflow-wrap: anywhere }
  .forms { margin: 0 0 12px; font-size: 14px }
  .forms a { display: inline-block; line-height: 40px; padding: 0 10px; color: hsl(${hue} 62% 24%) }
  .forms a[aria-current] { font-weight: bold; text-decoration: none; background: white; border-radius: 4px }
  @media (max-width: 420px) { button { flex: 1 1 auto; padding: 0 8px } }`);

export type WallPage = {
  wall: SimulatedWall;
  memberRef: string;
  /** The wall's URL, to return to after a button. */
  back: string;
  calls: readonly KeptCall[];
  /** Whether a button was just pressed, so that the newest call is shown as its result. */
  hasActed: boolean;
  notice: string | null;
  /** The chosen form of postbacks; null if the company has only one. */
  form: WallForm | null;
};

const document = (title: string, hue: number, nonce: string, body: Html): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style nonce="${nonce}">${style(hue)}</style></head><body>${body}</body></html>`.html;

const pointsText = (points: bigint): string => points.toLocaleString('en-US');

const minutesText = (minutes: number): string =>
  minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;

const actionNames = { complete: 'Complete', 'screen-out': 'Screen out', reverse: 'Reverse' } as const;

export function wallPage(page: WallPage, nonce: string): string {
  const { wall, calls } = page;
  const isSurvey = wall.kind === 'survey';
  const newest = page.hasActed ? calls[0] : undefined;
  const body = html`<header><div><h1>${wall.name}</h1>
<p>${isSurvey ? 'Surveys that fit you' : 'Offers for you'} · rewards in points · member ${page.memberRef}</p>
</div></header><main>${page.notice === null ? [] : [html`<p class="answer bad" role="alert">${page.notice}</p>`]}
${newest === undefined ? [] : [answerOf(newest)]}
${formsOf(page)}
<ul aria-label="${isSurvey ? 'Surveys' : 'Offers'}">${wall.offers.map((offer) => offerOf(page, offer))}</ul>
${calls.length === 0 ? [] : [callsOf(calls)]}</main>
<footer>A simulated wall. Each button makes ${wall.name} call the site as it would in life: signed, and with a
transaction of its own. Reverse takes the last reward back.</footer>`;
  return document(`${wall.name} wall`, wall.hue, nonce, body);
}

/** The choice between forms, as links to this page, so that it works without script. */
function formsOf({ wall, form, back }: WallPage): Html[] {
  if (form === null) return [];
  const address = new URL(back, 'http://wall');
  const linkTo = ({ id, name }: WallForm): Html => {
    address.searchParams.set('form', id);
    const current = verbatim(id === form.id ? ' aria-current="true"' : '');
    return html`<a href="${address.pathname}${address.search}"${current}>${name}</a> `;
  };
  return [
    html`<nav class="forms" aria-label="Form of the postbacks">Postbacks: ${wall.forms.map(linkTo)}</nav>`,
  ];
}

function offerOf(page: WallPage, offer: Offer): Html {
  const button = (action: keyof typeof actionNames, kind: string) =>
    html`<button class="${kind}" formaction="/sandbox/wall/${page.wall.id}/${action}"
      aria-describedby="offer-${offer.id}">${actionNames[action]}</button>`;
  return html`<li class="offer"><h2 id="offer-${offer.id}">${offer.title}</h2>
<span class="reward">${pointsText(offer.points)} points</span>
<p>${offer.task}</p><p class="minutes">${minutesText(offer.minutes)}</p>
<form method="post"><input type="hidden" name="userId" value="${page.memberRef}">
<input type="hidden" name="offerId" value="${offer.id}"><input type="hidden" name="back" value="${page.back}">
${page.form === null ? [] : [html`<input type="hidden" name="form" value="${page.form.id}">`]}
${[
  button('complete', 'main'),
  ...(page.wall.hasScreenOuts ? [button('screen-out', '')] : []),
  button('reverse', ''),
]}</form></li>`;
}

function sentenceOf(call: KeptCall): string {
  const said = call.answerStatus === 200 ? `“${call.answerBody}”` : detailOf(call.answerBody);
  return `${actionNames[call.action]}: ${call.offerTitle}, ${pointsText(call.points)} points. The site answered \
${call.answerStatus} ${said}`;
}

/** The detail of a refusal's problem details. */
function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === 'string' ? detail : body;
  } catch {
    return body;
  }
}

const answerOf = (call: KeptCall): Html =>
  html`<p class="answer ${call.answerStatus === 200 ? '' : 'bad'}" role="status">${sentenceOf(call)}</p>`;

const callsOf = (calls: readonly KeptCall[]): Html =>
  html`<h2 class="part">Your activity</h2><ul>${calls.map(
    (call) => html`<li class="call">${sentenceOf(call)} <small>(${call.transactionId})</small></li>`,
  )}</ul>`;

/** The page for a URL with a wrong signature. */
export function refusedWallPage(wall: SimulatedWall, nonce: string): string {
  const body = html`<header><div><h1>${wall.name}</h1></div></header><main>
<p class="answer bad" role="alert">This address is not valid: it names no member, or its signature is wrong. Open the
wall from the site.</p></main>`;
  return document(`${wall.name} wall`, wall.hue, nonce, body);
}
