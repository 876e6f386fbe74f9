import type { QuarantineDetails } from '#contract/earning-quarantine.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import { fullNameOf } from '#contract/full-name.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './quarantine-queries.ts';

/**
 * What an operator looks at before a call in quarantine is booked: what it says, the members that it may mean, and the
 * raw call.
 */
const CANDIDATES_MAX = 5;
const DIGITS = '0123456789';

/** The ids that differ from a text by two neighbours swapped, or by one digit that is wrong, missing or too many. */
export function similarIds(text: string): { swapped: string[]; digit: string[] } {
  if (!/^\d{8,10}$/.test(text)) return { swapped: [], digit: [] };
  const places = [...text].map((_, place) => place);
  const swapped = places.map(
    (place) => text.slice(0, place) + (text[place + 1] ?? '') + (text[place] ?? '') + text.slice(place + 2),
  );
  const removed = places.map((place) => text.slice(0, place) + text.slice(place + 1));
  const added = [...places, text.length].flatMap((place) =>
    [...DIGITS].map((digit) => text.slice(0, place) + digit + text.slice(place)),
  );
  const replaced = places.flatMap((place) =>
    [...DIGITS].map((digit) => text.slice(0, place) + digit + text.slice(place + 1)),
  );
  const idsOf = (texts: string[], but: ReadonlySet<string>) => [
    ...new Set(texts.filter((one) => MEMBER_ID.test(one) && one !== text && !but.has(one))),
  ];
  const bySwap = idsOf(swapped, new Set());
  return { swapped: bySwap, digit: idsOf([...removed, ...added, ...replaced], new Set(bySwap)) };
}

/** @throws Refusal `not-found` */
export async function readQuarantineDetails(reader: Reader, id: bigint): Promise<QuarantineDetails> {
  const row = await queries.findDetails(reader, id);
  if (row === undefined) throw refuse('not-found');
  const { swapped, digit } = similarIds(row.memberRef);
  const ownId = MEMBER_ID.test(row.memberRef) ? row.memberRef : null;
  // A reversal takes from the member of its credit and from nobody else.
  const wanted =
    row.kind === 'reversal'
      ? { creditOf: row.creditMemberId === null ? [] : [String(row.creditMemberId)] }
      : { same: ownId === null ? [] : [ownId], swapped, digit };
  const reasons = new Map(
    Object.entries(wanted).flatMap(([why, ids]) =>
      ids.map((memberId) => [memberId, why as QuarantineDetails['candidates'][number]['why']] as const),
    ),
  );
  const members = await queries.readCandidates(reader, [...reasons.keys()].map(Number), row.provider);
  const order = Object.keys(wanted);
  const candidates = members
    .map((member) => ({
      id: String(member.id),
      name: fullNameOf(member),
      why: reasons.get(String(member.id)) ?? ('digit' as const),
      isDeleted: member.isClosed,
      openedAt: member.openedAt?.toISOString() ?? null,
    }))
    .sort(
      (one, other) =>
        order.indexOf(one.why) - order.indexOf(other.why) ||
        (other.openedAt ?? '').localeCompare(one.openedAt ?? ''),
    );
  return {
    providerName: row.providerName,
    subject: row.subject,
    creditTxId: row.creditTransactionId,
    postbackId: row.postbackId?.toString() ?? null,
    candidates: candidates.slice(0, CANDIDATES_MAX),
  };
}
