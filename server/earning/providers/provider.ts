import assert from 'node:assert/strict';
import type { SurveyCategory, TaskCategory } from '../catalogue-queries.ts';
import type { PostbackMessage } from './message.ts';

/**
 * What a survey or offer-wall company is to us. A company is one folder here, `<id>/`, and one line in `registry.ts`:
 * - `adapter.ts` speaks its words: how a member's wall address is signed, how its postbacks are signed, what they mean.
 *   Everything past the adapter speaks our words alone (`message.ts`).
 * - `facts.ts` says what is known of it: its name, what it pays, its delay, its settings, its addresses.
 * - `vectors.ts` holds documented and genuine calls, from which the suites for all providers take it up.
 * - `wall.ts` is its wall in the sandbox, which the sandbox alone loads.
 * Its name stands nowhere else.
 *
 * Adapters are pure: no clock, no network, no database, no log. The caller keeps the raw call, looks the member
 * up, decides about holds, books, and answers `successBody`. What always holds:
 * - A signature is judged over the bytes received (`raw-query.ts`), in constant time, and before anything else;
 *   only then are parameters read. Without a stored secret nothing verifies (`verdict.ts`).
 * - Amounts are read as decimal text (`decimal.ts`), never as floats; points are whole, rounded down.
 * - A message of kind `credit` or `reversal` is idempotent for its caller by (provider, transaction, kind):
 *   several companies reuse the credit's id for its reversal.
 * - Most companies sign less than they send. `signatureCovers` says what, and what stands in for the rest; a test
 *   changes every field and fails if the statement is wrong.
 */

/** A call as it arrived. Nothing in it has been decoded, trimmed or written again. */
export type RawPostback = {
  method: 'GET' | 'POST';
  /** Public origin + path and query as received, one character a byte (see `receivedUrl` in `raw-query.ts`). */
  url: string;
  /** Lower-case names, as Node gives them. */
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
};

export type Verdict =
  | { ok: true; message: PostbackMessage }
  /** `why` is for the operator's log; it names parameters, never their secret. */
  | { ok: false; code: 'invalid-signature' | 'invalid-postback'; why: string };

/** What an operator has set for the provider, as far as verifying needs it. */
export type PostbackSettings = { secret: string };

/**
 * The parts of a postback that move money: whose it is, how many points, by which transaction, what it is (credit,
 * reversal, screen-out), and what the company pays us.
 */
export type SignatureField = 'member' | 'amount' | 'transaction' | 'kind' | 'payout';

/**
 * `signed`: changing it breaks the signature. `joined`: so it does alone, but the text that is signed has no separator
 * between it and a neighbour, so that characters moved from one to the other do not. Otherwise, or beside that, the
 * control that stands in for the signature.
 */
export type SignatureCoverage = 'signed' | { joined: string } | { unsigned: string };

export type WallInput = {
  /** The wall's own address as the operator set it; `defaultWallUrl` in live, the sandbox's in sandbox. */
  url: string;
  /** The public id of our site at the company (app id, token, wall id). */
  apiKey: string;
  secret: string;
  memberRef: string;
  /** The name of the site, for companies that tell sites apart by it. */
  brand: string;
  /** The day of the site, YYYY-MM-DD. */
  siteDay: string;
};

/** Text in both languages of the site. */
export type Words = { en: string; ko: string };

/** What members are told a provider pays, and how long it takes. `null` where nobody says. */
export type Pays = {
  rewardPointsMin: number | null;
  rewardPointsMax: number | null;
  minutesMin: number | null;
  minutesMax: number | null;
  /** How long a credit usually takes at most, in hours, from the end of the task. */
  arrivesWithinHours: number | null;
};

/** A setting that an operator copies from the company's dashboard. */
export type SettingField = {
  /** What the company calls it. */
  label: string;
  /** Its form; any but an empty one where none is named. */
  form?: RegExp;
};

/** An entry that a new catalogue may start with: what is true of the provider's wall on any day. */
export type Starter = {
  title: Words;
  description: Words;
  minutes: number;
  /** `pays.rewardPointsMin` where nothing is said. */
  points?: bigint;
} & ({ kind: 'task'; category: TaskCategory } | { kind: 'survey'; category: SurveyCategory });

export type ProviderFacts = {
  /** Stands in its addresses, rows and settings, and names its folder. */
  id: string;
  /** What it calls itself. */
  name: string;
  kind: 'survey' | 'offerwall';
  defaultWallUrl: string;
  /** The whole answer, 200 text/plain, to every call that verifies. */
  successBody: '1' | 'OK';
  /**
   * The query to paste into the company's dashboard, behind the postback address; the macros are the company's.
   */
  queryTemplate: string;
  /** Addresses and CIDR ranges that the company calls from, as published or as observed by several operators. */
  publishedSourceAddresses: readonly string[];
  /** What live mode starts with for calls from elsewhere; `hold` where the signature leaves money uncovered. */
  liveSourcePolicy: 'record' | 'hold' | 'refuse';
  /** Whether it also calls the address for reversals alone. */
  takesChargebacks: boolean;
  /**
   * The signature in a wall's address, which its member can read, is also right for a postback whose transaction is
   * the member's id. The caller must refuse a transaction that is a member's id, as wrongly signed.
   */
  signsWallsLikePostbacks?: true;
  signatureCovers: Record<SignatureField, SignatureCoverage>;
  /** `apiKey` is the public id of our site at the company; `secret` is the key that verifies its postbacks. */
  settings: { apiKey: SettingField; secret: SettingField };
  pays: Pays;
  /** What it is to members, in one line and a sentence; `kinds` of tasks, where it has several. */
  words: { title: Words; text: Words; kinds: Words | null };
  starters: readonly Starter[];
};

export type ProviderAdapter = ProviderFacts & {
  /**
   * The address of one member's wall, without name or e-mail.
   * A `memberRef` that is not of the form `memberRefForm`, or an empty key that the address needs, is a fault.
   */
  wallUrl(input: WallInput): string;
  /**
   * Judges one call: signature, then parameters, then what it means in our words. Never throws for what was sent.
   */
  verify(raw: RawPostback, settings: PostbackSettings): Verdict;
};

/**
 * What walls know a member by: the member id. Callers rely on its form, because a wall address is readable to its
 * member: a signature shown there must not be worth anything as the signature of a postback
 * (`signsWallsLikePostbacks`).
 */
export const memberRefForm = /^[1-9]\d{8}$/;

/** Whether a wall's address can hold this public id. */
export const fitsWallAddress = ({ settings }: Pick<ProviderFacts, 'settings'>, apiKey: string): boolean =>
  apiKey !== '' && settings.apiKey.form?.test(apiKey) !== false;

/** A wall that is opened for anything but a member id, or without the company's public id, is a fault. */
export function assertWallInput(
  facts: Pick<ProviderFacts, 'name' | 'settings'>,
  { apiKey, memberRef }: Pick<WallInput, 'apiKey' | 'memberRef'>,
): void {
  assert(memberRefForm.test(memberRef), 'A wall is opened for a member id alone');
  assert(
    fitsWallAddress(facts, apiKey),
    `${facts.name} has no ${facts.settings.apiKey.label} for its address`,
  );
}
