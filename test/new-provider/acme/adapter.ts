import { createHmac } from 'node:crypto';
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
  optionalPayout,
  required,
} from '../../../server/earning/providers/parameter.ts';
import { assertWallInput, type ProviderAdapter } from '../../../server/earning/providers/provider.ts';
import { decodeQuery, isBytes, rawValue, splitQuery } from '../../../server/earning/providers/raw-query.ts';
import { isDigest, verifyPostback } from '../../../server/earning/providers/verdict.ts';
import { facts } from './facts.ts';

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
  verify({ url }, { secret }) {
    const end = url.lastIndexOf('&sign=');
    const signed = end < 0 ? url : url.slice(0, end);
    return verifyPostback({
      secret,
      isSigned: () =>
        isBytes(signed) && end >= 0 && isDigest(url.slice(end + '&sign='.length), digestOf(signed, secret)),
      translate: () => translate(signed),
    });
  },
};

const digestOf = (signed: string, secret: string): string =>
  createHmac('sha256', secret).update(signed, 'latin1').digest('hex');

function translate(signed: string): PostbackMessage {
  const query = splitQuery(signed);
  const parameters = decodeQuery(query);
  const transactionId = identifier(parameters, 'id');
  const subject = { transactionId, memberRef: identifier(parameters, 'user') };
  const amount = decimal(parameters, 'points');
  const payout = optionalPayout(parameters, 'usd');
  required(parameters, 'what');
  const what = rawValue(query, 'what');
  if (what === 'back') return reversalMessage(subject, transactionId, amount);
  if (what !== 'paid') return ignoredMessage('unknown-status', subject);
  return creditMessage(
    { ...subject, payout, offerName: label(parameters, 'name'), isScreenOut: false },
    amount,
  );
}
