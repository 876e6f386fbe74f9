import assert from 'node:assert/strict';
import { MEMBER_ID } from '#contract/fields.ts';
import type { SurveyCategory, TaskCategory } from '../catalogue-queries.ts';
import type { PostbackMessage } from './message.ts';

/**
 * A provider is a company whose surveys or offers pay members. It is one folder `<id>/` and one line in `registry.ts`:
 * - `adapter.ts` signs the URL of a member's wall, verifies postbacks and translates them to a `PostbackMessage`. Code
 *   outside the folder uses none of the company's parameters.
 * - `facts.ts` has the facts of the company: name, pay, delay, settings, addresses.
 * - `vectors.ts` holds documented and genuine calls. The suites for all providers read them.
 * - `wall.ts` simulates the company's wall. Only the sandbox loads it.
 * `test/providers-tidy.test.ts` refuses the company's name anywhere else.
 *
 * Adapters use no clock, network, database or log. The caller stores the raw call, finds the member, decides about
 * holds, books, and answers `successBody`. Invariants:
 * - An adapter checks the signature first, over the bytes received (`raw-query.ts`) and in constant time. It reads
 *   parameters only afterwards, strictly those that `decidedBy` names and leniently all others. Without a stored
 *   secret nothing verifies (`verdict.ts`).
 * - Amounts are read as decimal text (`decimal.ts`), never as floats. Points are whole, rounded down.
 * - The caller books a `credit` or `reversal` once by (provider, transaction, kind), because several companies reuse
 *   the credit's id for its reversal.
 * - Most companies sign only part of a call. `signatureCovers` names the signed parts and the control for each other
 *   part. A test changes every field and fails if the declaration is wrong.
 */

/** A call as received: not decoded, trimmed or normalised. */
export type RawPostback = {
  method: 'GET' | 'POST';
  /** Public origin, path and query as received, one character for each byte (`receivedUrl` in `raw-query.ts`). */
  url: string;
  /** Lower-case names, as Node gives them. */
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
};

export type Verdict =
  | { ok: true; message: PostbackMessage }
  /** `why` is for the log. It names parameters and never contains the secret. */
  | { ok: false; code: 'invalid-signature' | 'invalid-postback'; why: string };

/** What a company signed of a call, and the signature that came with it. The secret is no part of it. */
export type CallSignature = {
  /** `md5` hashes the text with the secret after it. The others are an HMAC of the text with the secret as its key. */
  algorithm: 'md5' | 'sha1' | 'sha256';
  /** One character for each byte. */
  text: string;
  /** Empty if the call has none. */
  received: string;
  encoding: 'hex' | 'base64url';
};

/** The operator's settings that verifying needs. */
export type PostbackSettings = { secret: string };

/**
 * The parts of a postback that decide about money. `kind` is credit, reversal or screen-out; `payout` is what the
 * company pays the site.
 */
export type SignatureField = 'member' | 'amount' | 'transaction' | 'kind' | 'payout';

/**
 * `signed`: a change breaks the signature. `joined`: a change alone breaks it, but the signed text has no separator to
 * a neighbour, so characters moved between the two keep it. `unsigned`: a change keeps it. The text names the control
 * that protects the part instead.
 */
export type SignatureCoverage = 'signed' | { joined: string } | { unsigned: string };

/** What a parameter decides, if it may refuse a call. */
export type Decision = 'member' | 'transaction' | 'amount' | 'kind' | 'signature';

export type WallInput = {
  /** The wall's base URL: the operator's setting, else `defaultWallUrl`. In the sandbox, the sandbox's wall. */
  url: string;
  /** The public id of our site at the company (app id, token, wall id). */
  apiKey: string;
  secret: string;
  memberRef: string;
  /** The name of the site, for companies that distinguish sites by it. */
  brand: string;
  /** The day of the site, YYYY-MM-DD. */
  siteDay: string;
};

/** Text in both languages of the site. */
export type Words = { en: string; ko: string };

/** The rewards and the delay that members see. `null` if the company does not state it. */
export type Pays = {
  rewardPointsMin: number | null;
  rewardPointsMax: number | null;
  minutesMin: number | null;
  minutesMax: number | null;
  /** The usual maximum delay of a credit after the end of the task. */
  arrivesWithinHours: number | null;
};

/** A setting that an operator copies from the company's dashboard. */
export type SettingField = {
  /** The company's own name for it. */
  label: string;
  /** The accepted form; without it, any text but an empty one. */
  form?: RegExp;
};

/** A first entry for a new catalogue. It describes a kind of task that the wall always has, and no single offer. */
export type Starter = {
  title: Words;
  description: Words;
  minutes: number;
  /** Defaults to `pays.rewardPointsMin`. */
  points?: bigint;
} & ({ kind: 'task'; category: TaskCategory } | { kind: 'survey'; category: SurveyCategory });

export type ProviderFacts = {
  /** The name of its folder, and its id in addresses, rows and settings. */
  id: string;
  /** The company's own name. */
  name: string;
  kind: 'survey' | 'offerwall';
  defaultWallUrl: string;
  /** The body of the answer, 200 text/plain, to every call that verifies. */
  successBody: '1' | 'OK';
  /** The query to paste into the company's dashboard after the postback address, with the company's macros. */
  queryTemplate: string;
  /** Addresses and CIDR ranges that the company calls from, as published or as observed by several operators. */
  publishedSourceAddresses: readonly string[];
  /** The first policy of live mode for calls from other addresses: `hold` if the signature leaves money uncovered. */
  liveSourcePolicy: 'record' | 'hold' | 'refuse';
  /** The header with the signature, in lower case, if the company does not put it into the URL. */
  signatureHeader?: string;
  /** Whether the company also calls the separate address for reversals. */
  takesChargebacks: boolean;
  /**
   * The signature in a wall's address also verifies a postback whose transaction is the member's id, and the member can
   * read it there. The caller must refuse such a transaction as wrongly signed.
   */
  signsWallsLikePostbacks?: true;
  signatureCovers: Record<SignatureField, SignatureCoverage>;
  /**
   * The parameters of the query or the body that decide, by what they decide. They alone may refuse a call: missing,
   * malformed or repeated. Others find the credit of a reversal (`linkingIdentifier`), are shown as they came, or are
   * not used, because a member's points do not depend on the spelling of an offer's name. `deciding.test.ts` holds
   * this for every provider.
   */
  decidedBy: Record<Decision, readonly string[]>;
  /** `apiKey` is the public id of our site at the company; `secret` is the key that verifies its postbacks. */
  settings: { apiKey: SettingField; secret: SettingField };
  pays: Pays;
  /** A title and a sentence for members. `kinds` lists the kinds of tasks of an offer wall. */
  words: { title: Words; text: Words; kinds: Words | null };
  starters: readonly Starter[];
};

export type ProviderAdapter = ProviderFacts & {
  /**
   * Builds the URL of one member's wall, without name or e-mail. A `memberRef` that does not match `MEMBER_ID`, or
   * a missing key that the URL needs, is a fault.
   */
  wallUrl(input: WallInput): string;
  signatureOf(raw: RawPostback): CallSignature;
  /** Translates the parameters, whoever sent them. @throws InvalidPostback */
  translate(raw: RawPostback): PostbackMessage;
  /** Checks the signature, then parses and translates the parameters. Never throws for received bytes. */
  verify(raw: RawPostback, settings: PostbackSettings): Verdict;
};

/** The names of the parameters that may refuse a call. */
export const decidingNames = ({ decidedBy }: Pick<ProviderFacts, 'decidedBy'>): ReadonlySet<string> =>
  new Set(Object.values(decidedBy).flat());

/** The only value of a header; empty if it is missing or repeated. */
export function headerOf({ headers }: Pick<RawPostback, 'headers'>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Whether a wall's URL can contain this public id. */
export const fitsWallAddress = ({ settings }: Pick<ProviderFacts, 'settings'>, apiKey: string): boolean =>
  apiKey !== '' && settings.apiKey.form?.test(apiKey) !== false;

/** Throws if a wall is opened without a member id or without the company's public id, because that is a fault. */
export function assertWallInput(
  facts: Pick<ProviderFacts, 'name' | 'settings'>,
  { apiKey, memberRef }: Pick<WallInput, 'apiKey' | 'memberRef'>,
): void {
  assert(MEMBER_ID.test(memberRef), 'A wall is opened for a member id alone');
  assert(
    fitsWallAddress(facts, apiKey),
    `${facts.name} has no ${facts.settings.apiKey.label} for its address`,
  );
}
