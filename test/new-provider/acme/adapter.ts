import {
  creditMessage,
  ignoredMessage,
  type PostbackMessage,
  reversalMessage,
} from '../../../server/earning/providers/message.ts';
import {
  decimal,
  identifier,
  label,
  required,
  shownPayout,
} from '../../../server/earning/providers/parameter.ts';
import {
  assertWallInput,
  decidingNames,
  type ProviderAdapter,
} from '../../../server/earning/providers/provider.ts';
import { decodeQuery, rawValue, splitQuery } from '../../../server/earning/providers/raw-query.ts';
import { verifySigned } from '../../../server/earning/providers/verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/** A fictional company. It signs the whole URL up to the `&sign=` at the end. */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.searchParams.set('site', apiKey);
    wall.searchParams.set('user', memberRef);
    return wall.href;
  },
  signatureOf({ url }) {
    const { signed: text, received } = partsOf(url);
    return { algorithm: 'sha256', text, received, encoding: 'hex' };
  },
  translate: ({ url }) => translate(partsOf(url).signed),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

function partsOf(url: string): { signed: string; received: string } {
  const end = url.lastIndexOf('&sign=');
  if (end < 0) return { signed: url, received: '' };
  return { signed: url.slice(0, end), received: url.slice(end + '&sign='.length) };
}

function translate(signed: string): PostbackMessage {
  const query = splitQuery(signed);
  const parameters = decodeQuery(query, deciding);
  const transactionId = identifier(parameters, 'id');
  const subject = { transactionId, memberRef: identifier(parameters, 'user') };
  const amount = decimal(parameters, 'points');
  const payout = shownPayout(parameters, 'usd');
  required(parameters, 'what');
  const what = rawValue(query, 'what');
  if (what === 'back') return reversalMessage(subject, transactionId, amount);
  if (what !== 'paid') return ignoredMessage('unknown-status', subject);
  return creditMessage(
    { ...subject, payout, offerName: label(parameters, 'name'), isScreenOut: false },
    amount,
  );
}
