import { createHmac } from 'node:crypto';
import { jsonParameters } from '../json-parameters.ts';
import { creditMessage, type PostbackMessage } from '../message.ts';
import { decimal, identifier, label, optionalIdentifier, optionalPayout } from '../parameter.ts';
import { assertWallInput, type ProviderAdapter, type RawPostback } from '../provider.ts';
import {
  decodeQuery,
  isBytes,
  type PostbackParameters,
  rawValue,
  splitQuery,
  withoutParameter,
} from '../raw-query.ts';
import { isDigest, verifyPostback } from '../verdict.ts';
import { facts } from './facts.ts';

/**
 * AdGem, an offer wall with two forms of postbacks. GET: our template, to which it appends `request_id` and, last,
 * `verifier`, which signs the whole URL before it. POST, which its account managers enable: JSON, and the header
 * `Signature` signs the body. Then the URL is not signed, and the adapter reads nothing from it.
 *
 * An offer may pay for several goals, all under the transaction of its click. So our transaction id joins both.
 * `request_id` names one delivery and can't be the key, because a repeated delivery would pay again. AdGem documents no
 * reversal. A negative amount is read as one; operators book others.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.searchParams.set('appid', apiKey);
    wall.searchParams.set('playerid', memberRef);
    return wall.href;
  },
  verify(raw, { secret }) {
    const isBodyForm = raw.method === 'POST' && raw.rawBody.length > 0;
    return isBodyForm ? verifyBody(raw, secret) : verifyAddress(raw, secret);
  },
};

function verifyAddress({ url }: RawPostback, secret: string) {
  const query = splitQuery(url);
  const signed = withoutParameter(url, 'verifier');
  return verifyPostback({
    secret,
    isSigned: () =>
      isBytes(signed) &&
      isDigest(rawValue(query, 'verifier'), digestOf(Buffer.from(signed, 'latin1'), secret)),
    translate: () => translate(decodeQuery(query)),
  });
}

function verifyBody({ headers, rawBody }: RawPostback, secret: string) {
  const received = headers.signature;
  return verifyPostback({
    secret,
    isSigned: () => typeof received === 'string' && isDigest(received, digestOf(rawBody, secret)),
    translate: () => translate(jsonParameters(rawBody, 'data')),
  });
}

function digestOf(signed: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex');
}

function translate(parameters: PostbackParameters): PostbackMessage {
  const click = identifier(parameters, 'transaction_id');
  const goal = optionalIdentifier(parameters, 'goal_id');
  const offerName = label(parameters, 'campaign_name') || label(parameters, 'offer_name');
  return creditMessage(
    {
      transactionId: goal === null ? click : `${click}:${goal}`,
      memberRef: identifier(parameters, 'player_id'),
      payout: optionalPayout(parameters, 'payout'),
      offerName,
      isScreenOut: false,
    },
    decimal(parameters, 'amount'),
  );
}
