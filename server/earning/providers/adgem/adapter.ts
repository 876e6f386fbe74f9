import { jsonParameters } from '../json-parameters.ts';
import { creditMessage, type PostbackMessage } from '../message.ts';
import {
  decimal,
  identifier,
  label,
  linkingIdentifier,
  optionalIdentifier,
  shownPayout,
} from '../parameter.ts';
import {
  assertWallInput,
  decidingNames,
  headerOf,
  type ProviderAdapter,
  type RawPostback,
} from '../provider.ts';
import {
  decodeQuery,
  type PostbackParameters,
  rawValue,
  splitQuery,
  withoutParameter,
} from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

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
  signatureOf(raw) {
    const { url, rawBody } = raw;
    const [text, received] = isBodyForm(raw)
      ? [rawBody.toString('latin1'), headerOf(raw, facts.signatureHeader)]
      : [withoutParameter(url, 'verifier'), rawValue(splitQuery(url), 'verifier')];
    return { algorithm: 'sha256', text, received, encoding: 'hex' };
  },
  translate: (raw) =>
    readParameters(
      isBodyForm(raw)
        ? jsonParameters(raw.rawBody, 'data', deciding)
        : decodeQuery(splitQuery(raw.url), deciding),
    ),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

const isBodyForm = ({ method, rawBody }: RawPostback): boolean => method === 'POST' && rawBody.length > 0;

function readParameters(parameters: PostbackParameters): PostbackMessage {
  const click = identifier(parameters, 'transaction_id');
  const goal = optionalIdentifier(parameters, 'goal_id');
  const offerName = label(parameters, 'campaign_name') || label(parameters, 'offer_name');
  return creditMessage(
    {
      transactionId: goal === null ? click : `${click}:${goal}`,
      memberRef: identifier(parameters, 'player_id'),
      payout: shownPayout(parameters, 'payout'),
      offerName,
      isScreenOut: false,
      offerId: linkingIdentifier(parameters, 'offer_id'),
    },
    decimal(parameters, 'amount'),
  );
}
