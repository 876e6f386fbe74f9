import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import {
  identifier,
  linkingIdentifier,
  optionalDecimal,
  optionalWord,
  required,
  shownPayout,
} from '../parameter.ts';
import { assertWallInput, decidingNames, type ProviderAdapter } from '../provider.ts';
import { decodeQuery, InvalidPostback, type RawParameter, rawValue, splitQuery } from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/**
 * CPX Research, a survey wall. A postback is signed as md5(trans_id-secret). Member and points are not signed; the key
 * (cpx, transaction, kind) and the source address protect them.
 *
 * The wall's URL is signed the same way with the same secret, md5(member-secret), and the member can read it. So a
 * postback with the member's id as its `trans_id` would verify with the wall's hash. The caller therefore refuses a
 * `trans_id` that is a member's id (`signsWallsLikePostbacks`), and walls are signed only for member ids.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, secret, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    assert(secret !== '', 'A wall is signed with the secret');
    const wall = new URL(url);
    wall.searchParams.set('app_id', apiKey);
    wall.searchParams.set('ext_user_id', memberRef);
    wall.searchParams.set('secure_hash', wallHash(memberRef, secret));
    return wall.href;
  },
  signatureOf({ url }) {
    const query = splitQuery(url);
    const text = `${rawValue(query, 'trans_id')}-`;
    return { algorithm: 'md5', text, received: rawValue(query, 'secure_hash'), encoding: 'hex' };
  },
  translate: ({ url }) => translate(splitQuery(url)),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

/** `secure_hash` of the wall's URL. */
export function wallHash(memberRef: string, secret: string): string {
  return hash('md5', `${memberRef}-${secret}`, 'hex');
}

function translate(query: readonly RawParameter[]): PostbackMessage {
  const parameters = decodeQuery(query, deciding);
  const status = required(parameters, 'status');
  const transactionId = identifier(parameters, 'trans_id');
  if (transactionId !== rawValue(query, 'trans_id')) throw new InvalidPostback('trans_id is encoded');
  const subject = { transactionId, memberRef: identifier(parameters, 'user_id') };
  const amount = optionalDecimal(parameters, 'amount_local');
  const payout = shownPayout(parameters, 'amount_usd');
  const type = optionalWord(parameters, 'type');

  // For a cancelled transaction the panel's field list has 2, one of its notes -2, and its example URL canceled.
  const isCancelled = status === '2' || status === '-2' || (status === '1' && type === 'canceled');
  if (isCancelled) return reversalMessage(subject, transactionId, amount);
  if (status !== '1') return ignoredMessage('unknown-status', subject);
  if (amount === null) throw new InvalidPostback('amount_local is missing');
  // A bonus is for a rating or a screen-out, never for a completed survey.
  const isScreenOut = type === 'out' || type === 'return_out' || type === 'bonus';
  const offerId = linkingIdentifier(parameters, 'offer_id');
  return creditMessage({ ...subject, payout, offerName: '', isScreenOut, offerId }, amount);
}
