import type { Decimal } from '../decimal.ts';
import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import {
  identifier,
  label,
  linkingIdentifier,
  optionalDecimal,
  required,
  shownPayout,
} from '../parameter.ts';
import { assertWallInput, decidingNames, type ProviderAdapter } from '../provider.ts';
import {
  decodeQuery,
  InvalidPostback,
  type PostbackParameters,
  type RawParameter,
  rawValue,
  splitQuery,
} from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/**
 * Wannads, an offer wall with two generations of postbacks, which have different parameter names.
 *
 * Both sign md5(member.transaction.reward.secret) without separators. So a captured credit of transaction 12 with 300
 * points also verifies as transaction 1 with 2300. Member ids have nine digits, so no such shift reaches another
 * member. Live mode holds calls from other addresses than Wannads'. The status is not signed, so a negative reward is a
 * reversal with any status.
 *
 * The old generation appends its own parameters. A rejection has its own transaction, a positive reward, and the `uuid`
 * of its credit. The new generation's parameters are in our template. A rejection has the transaction of its credit or
 * its own one, and no other link is documented. So it reverses a credit of the same member, offer, goal and reward. Of
 * several equal credits, any has the same effect on the balance.
 */
type Generation = { user: string; transaction: string; label: string; linkOf: LinkOf };
type LinkOf = (
  parameters: PostbackParameters,
  memberRef: string,
  amount: Decimal | null,
) => string | undefined;

const oldGeneration: Generation = {
  user: 'subId',
  transaction: 'transId',
  label: 'campaign_name',
  linkOf: (parameters) => {
    const uuid = linkingIdentifier(parameters, 'uuid');
    return uuid === null ? undefined : `uuid:${uuid}`;
  },
};

const newGeneration: Generation = {
  user: 'user_id',
  transaction: 'transaction_id',
  label: 'offer_name',
  linkOf: (parameters, memberRef, amount) => {
    const offer = linkingIdentifier(parameters, 'offer_id');
    const goal = linkingIdentifier(parameters, 'goal_id') ?? '';
    return offer === null || amount === null
      ? undefined
      : `offer:${memberRef}:${offer}:${goal}:${amount.whole}`;
  },
};

export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef, brand, siteDay }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.searchParams.set('apiKey', apiKey);
    wall.searchParams.set('userId', memberRef);
    wall.searchParams.set('sub1', brand);
    wall.searchParams.set('sub2', siteDay);
    return wall.href;
  },
  signatureOf({ url }) {
    const query = splitQuery(url);
    const { user, transaction } = generationOf(query);
    const text = [user, transaction, 'reward'].map((name) => rawValue(query, name)).join('');
    return { algorithm: 'md5', text, received: rawValue(query, 'signature'), encoding: 'hex' };
  },
  translate({ url }) {
    const query = splitQuery(url);
    return translate(query, generationOf(query));
  },
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

function generationOf(query: readonly RawParameter[]): Generation {
  const isOld = query.some(({ name }) => name === oldGeneration.user || name === oldGeneration.transaction);
  return isOld ? oldGeneration : newGeneration;
}

function translate(query: readonly RawParameter[], generation: Generation): PostbackMessage {
  const parameters = decodeQuery(query, deciding);
  for (const name of [generation.user, generation.transaction, 'reward'])
    if ((parameters.get(name) ?? '') !== rawValue(query, name))
      throw new InvalidPostback(`${name} is encoded`);
  const status = required(parameters, 'status');
  const transactionId = identifier(parameters, generation.transaction);
  const subject = { transactionId, memberRef: identifier(parameters, generation.user) };
  const amount = optionalDecimal(parameters, 'reward');
  const payout = shownPayout(parameters, 'payout');
  const link = generation.linkOf(parameters, subject.memberRef, amount);
  const linked = (message: PostbackMessage): PostbackMessage =>
    link === undefined || message.kind === 'nothing' ? message : { ...message, link };

  const takesBack = status === '2' || status === 'rejected' || (amount !== null && amount.sign < 0);
  if (takesBack) return linked(reversalMessage(subject, transactionId, amount));
  if (status !== '1' && status !== 'credited') return ignoredMessage('unknown-status', subject);
  if (amount === null) throw new InvalidPostback('reward is missing');
  const offerName = label(parameters, generation.label);
  const offerId = linkingIdentifier(parameters, 'offer_id');
  return linked(creditMessage({ ...subject, payout, offerName, isScreenOut: false, offerId }, amount));
}
