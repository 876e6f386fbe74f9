import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import { decimal, identifier, label, optionalIdentifier, optionalWord, shownPayout } from '../parameter.ts';
import { assertWallInput, decidingNames, type ProviderAdapter } from '../provider.ts';
import { decodeQuery, splitQuery } from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/**
 * BitLabs: surveys, offers and receipts. The signature covers the whole URL, with scheme and host, up to the `&hash=`
 * that BitLabs appends last.
 *
 * Its dashboard sets one of two forms for offers. Not stateful: a reconciliation has its own transaction (`or…` for
 * `o…`), names the original in `ref`, and has negative values. Stateful: the same transaction is sent again with
 * another `state`, values stay positive, and `type` has no meaning. The adapter reads both forms.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.searchParams.set('token', apiKey);
    wall.searchParams.set('uid', memberRef);
    return wall.href;
  },
  signatureOf({ url }) {
    const { signed: text, received } = partsOf(url);
    return { algorithm: 'sha1', text, received, encoding: 'hex' };
  },
  translate: ({ url }) => translate(partsOf(url).signed),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

/** The signed URL and its signature. Our own parameters may include one named hash, so the last one is taken. */
function partsOf(url: string): { signed: string; received: string } {
  const end = url.lastIndexOf('&hash=');
  if (end < 0) return { signed: url, received: '' };
  return { signed: url.slice(0, end), received: url.slice(end + '&hash='.length) };
}

function translate(signedUrl: string): PostbackMessage {
  const parameters = decodeQuery(splitQuery(signedUrl), deciding);
  const transactionId = identifier(parameters, 'tx');
  const subject = { transactionId, memberRef: identifier(parameters, 'uid') };
  const amount = decimal(parameters, 'val');
  const payout = shownPayout(parameters, 'usd');
  const ref = optionalIdentifier(parameters, 'ref');
  const offerName = label(parameters, 'offer');

  const type = optionalWord(parameters, 'type');
  const state = optionalWord(parameters, 'state');

  const isStateful = state !== '' && state !== 'NONE';
  const takesBack = amount.sign < 0 || (transactionId.startsWith('or') && ref !== null);
  const meaning = isStateful ? meaningOfState(state) : meaningOfType(type, takesBack);
  if (meaning === 'paid' || meaning === 'screen-out')
    return creditMessage({ ...subject, payout, offerName, isScreenOut: meaning === 'screen-out' }, amount);
  if (meaning !== 'taken-back') return ignoredMessage(meaning, subject);
  return reversalMessage(subject, ref ?? (isStateful ? transactionId : originalOf(transactionId)), amount);
}

type Meaning =
  | 'paid'
  | 'screen-out'
  | 'taken-back'
  | 'pending'
  | 'rejected'
  | 'start-bonus'
  | 'unknown-status';

const meaningByState: Readonly<Record<string, Meaning>> = {
  PENDING: 'pending',
  REVIEWING: 'pending',
  COMPLETED: 'paid',
  RECONCILED: 'taken-back',
  REJECTED: 'rejected',
};

const meaningByType: Readonly<Record<string, Meaning>> = {
  // Offers without states may lack a type. Then only completed and reconciled ones are sent.
  '': 'paid',
  COMPLETE: 'paid',
  SCREENOUT: 'screen-out',
  // BitLabs does not pay the site for it, so members get nothing.
  START_BONUS: 'start-bonus',
  RECONCILIATION: 'taken-back',
};

/** The meaning of a stateful offer or a receipt. Its type is unreliable. */
function meaningOfState(state: string): Meaning {
  return wordIn(meaningByState, state);
}

/**
 * The meaning of a call without a state. A negative sign or a reference makes it a reversal, with any type.
 */
function meaningOfType(type: string, takesBack: boolean): Meaning {
  const meaning = wordIn(meaningByType, type);
  return takesBack && meaning !== 'start-bonus' ? 'taken-back' : meaning;
}

function wordIn(meanings: Readonly<Record<string, Meaning>>, word: string): Meaning {
  return (Object.hasOwn(meanings, word) ? meanings[word] : undefined) ?? 'unknown-status';
}

/** The reversed transaction if `ref` does not name it: `or…` reverses `o…`. */
function originalOf(transactionId: string): string {
  return transactionId.startsWith('or') ? `o${transactionId.slice(2)}` : transactionId;
}
