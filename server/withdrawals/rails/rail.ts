import type { z } from 'zod';
import type { Config } from '#platform/config.ts';

/**
 * What every way to pay out offers, in our words. A rail is one folder beside this file and one line in
 * `registry.ts`; its name and its own words stand nowhere else. `payouts.ts` and `decisions.ts` know only what is
 * declared here, so a rail may be an account in a public network or a company's interface.
 *
 * A payment happens once, even if the process dies at any instruction, because it is made in two steps: `prepare`
 * builds something that has no effect yet and names it by a reference; the caller stores both; `send` gives it effect
 * and may be repeated for ever with the same artifact.
 *
 * No function here throws because the outside party failed: an answer that did not come is a value, and the caller
 * decides. What throws is a broken assumption.
 */
export type Rail = {
  /** Whether the outside party is reachable, on which network it is, and what there is to pay with. */
  check: () => Promise<RailState>;
  /** Whether the outside party pays this destination, beyond its form. */
  validate: (destination: string) => Promise<Verdict>;
  /**
   * What a withdrawal pays: the amount and the rate, from what an operator will approve. `readRate` answers US dollars
   * for one unit of a currency of the rate source, and throws a refusal where there is no fresh one.
   */
  quote: (request: QuoteRequest, readRate: (currencyId: string) => Promise<string>) => Promise<Quote>;
  /**
   * Builds a payment without any effect outside. `unfinished` are the artifacts of payments that were prepared and of
   * which the outside party may know nothing: the new payment must not stand in their way.
   */
  prepare: (order: PaymentOrder, unfinished: readonly string[]) => Promise<PrepareOutcome>;
  /** Gives a prepared payment its effect. The same artifact can be sent for ever and pays once. */
  send: (artifact: string) => Promise<SendOutcome>;
  /** What became of a payment. Changes nothing outside. */
  inspect: (payment: StoredPayment) => Promise<PaymentStatus>;
  /** Every payment that the outside party knows to have been made since a time. */
  list: (since: Date) => Promise<Listing>;
};

/** A rail as the site knows it, before anybody has set it up. */
export type RailDefinition = {
  /** Two to twenty lower-case letters. It is the method of a withdrawal, on the wire and in the database. */
  id: string;
  /** As members read it. */
  name: string;
  currency: Currency;
  /** Where a payment goes. Without one, members can't choose this rail. */
  destination: Destination | null;
  account: AccountFacts;
  /** The rail on an operator's account, or undefined while something of it is missing or not allowed. */
  connect: ((account: Account, config: Config) => Rail | undefined) | null;
};

/** What a rail pays in. `rateId` is its name at the rate source; null is for US dollars, which need no rate. */
export type Currency = { symbol: string; rateId: string | null };

/**
 * How a destination is typed in. A `code` has no spaces and is shown in groups of four; `pattern` is for a hint
 * alone.
 */
export type DestinationForm = { kind: 'email' | 'code'; pattern: string };

export type Destination = {
  form: DestinationForm;
  /** The shape of a request's `recipientInfo`. */
  shape: z.ZodType<Record<string, string>>;
  /** The one text that is stored and paid, or why this is no destination. */
  canonical: (given: Record<string, string>, config: Config) => CanonicalDestination;
  /** The stored text as members and operators read it. */
  shown: (destination: string) => string;
};
export type CanonicalDestination = { kind: 'canonical'; text: string } | { kind: 'refused'; reason: string };

export type Scalar = string | number | boolean;
export type Credentials = Record<string, Scalar | undefined>;

/** What an operator sets. Credentials are sealed as one JSON text; settings are not secret and kept as JSON. */
export type Account = { credentials: Credentials; settings: unknown };

export type AccountFacts = {
  /** Every credential is optional, because an operator may set one at a time. */
  credentials: z.ZodType<Credentials>;
  /** Names of credentials whose value is never shown. */
  secrets: readonly string[];
  /** What the settings card shows where nothing is set. */
  initial: (config: Config) => Record<string, Scalar>;
  /** The first credential that is not allowed here, and why. */
  findFault: (credentials: Credentials, config: Config) => { name: string; message: string } | undefined;
  settings: z.ZodType;
};

/** All of the amount reaches the destination; what the outside party charges comes on top. */
export type PaymentOrder = {
  withdrawalId: string;
  destination: string;
  /** In units of 10⁻⁸ of the rail's currency. */
  amountUnits: bigint;
};

/** `reference` names the payment at the outside party. `artifact` is the rail's own text; nobody else reads it. */
export type Payment = { reference: string; artifact: string };
export type StoredPayment = Payment & Pick<PaymentOrder, 'destination' | 'amountUnits'>;

export type RailState =
  | { kind: 'ready'; network: string; balance: string }
  | { kind: 'unavailable'; reason: string };

export type Verdict =
  | { kind: 'valid' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type QuoteRequest = { amountPoints: bigint; feePoints: bigint };
export type Quote =
  /** `rate` is US dollars for one unit of the currency, as decimal text. */
  { kind: 'quoted'; rate: string; amountUnits: bigint } | { kind: 'refused'; reason: string };

export type PrepareOutcome =
  | ({ kind: 'prepared' } & Payment)
  /** Never payable as ordered: another try would end the same. */
  | { kind: 'refused'; reason: string }
  /** Nothing was made; try later. */
  | { kind: 'unavailable'; reason: string };

export type SendOutcome =
  /** The outside party has it, now or since earlier. */
  | { kind: 'sent' }
  /** The outside party does not take it as things stand: `inspect` tells what became of it. */
  | { kind: 'refused'; reason: string }
  /** It may have been taken, or may be later: send it again. */
  | { kind: 'unknown'; reason: string };

export type PaymentStatus =
  /** `mayBeForgotten`: the outside party might lose it, so that it should be sent again. */
  | { kind: 'pending'; mayBeForgotten: boolean }
  /** Paid for good. */
  | { kind: 'settled' }
  /**
   * Another payment took its place and pays the same destination, so this one can't be paid any more. `isSame` says
   * that it certainly pays exactly the ordered amount.
   */
  | { kind: 'replaced'; by: Payment; isSame: boolean; reason: string }
  /** It can never be paid, and nothing else paid the destination in its place. */
  | { kind: 'failed'; reason: string }
  /** The outside party does not know it. It may still be sent. */
  | { kind: 'absent'; reason: string | null }
  | { kind: 'unknown'; reason: string };

export type Listing =
  | { kind: 'listed'; payments: { reference: string; at: Date }[] }
  | { kind: 'unknown'; reason: string };
