import type { z } from 'zod';
import type { ConnectionStep } from '#contract/connection.ts';
import type { CodeFacts } from '#contract/destination-code.ts';
import type { Config } from '#platform/config.ts';

/**
 * The interface of all rails. A rail is one folder beside this file and one line in `registry.ts`. No other code of the
 * server has its name; the web has signs and words for some rails, and general ones for any other. `payouts.ts` and
 * `decisions.ts` use only this interface, so a rail may be an account in a public network or a company's API.
 *
 * A payment happens once, even if the process is killed at any instruction, because it has two steps. `prepare` builds
 * an artifact without any effect outside, with a reference. The caller stores both. `send` makes the payment and may be
 * repeated without limit with the same artifact.
 *
 * A failure of the outside party throws nothing: a missing answer is a returned value, and the caller decides. Only a
 * broken assumption throws.
 */
export type Rail = {
  /**
   * Checks whether the outside party is reachable. Returns its network, the balance to pay from and where to fill it
   * up. For health, and for the balances of the panel.
   */
  check: () => Promise<RailState>;
  /**
   * Checks everything that a payment needs, step by step, for an operator's test. Ends at the first step that fails,
   * with what is wrong in one sentence. Sends nothing.
   */
  testConnection: () => Promise<ConnectionStep[]>;
  /**
   * Calculates amount and rate of a withdrawal for its approval. `readRate` returns US dollars for one unit of a
   * currency of the rate source, and refuses if there is no fresh rate.
   */
  quote: (request: QuoteRequest, readRate: (currencyId: string) => Promise<string>) => Promise<Quote>;
  /**
   * Builds a payment without any effect outside. `unfinished` are the artifacts of prepared payments that the outside
   * party may not know. The new payment must not prevent them, so none is prepared beside an unreadable one that
   * may use the same money. `sent` are those of payments that the outside party has and that are not final. The new
   * payment must not take their money either, in case the outside party forgets one.
   */
  prepare: (
    order: PaymentOrder,
    unfinished: readonly string[],
    sent: readonly string[],
  ) => Promise<PrepareOutcome>;
  /** Makes a prepared payment. The same artifact can be sent any number of times and pays once. */
  send: (artifact: string) => Promise<SendOutcome>;
  /** Reads the status of a payment. Changes nothing outside. */
  inspect: (payment: StoredPayment) => Promise<PaymentStatus>;
  /**
   * Finds a payment that `inspect` can follow by its reference, and what it pays to a destination. The reference that
   * is returned is the outside party's own spelling. For an operator who says that it paid a payout.
   */
  find: (reference: string, destination: string) => Promise<FoundPayment>;
  /**
   * Finds a payment of any account, where the outside party shows those of others. Before an operator says of a payment
   * from a former account that it was never made.
   */
  findAnywhere?: (payment: Payment) => Promise<AnyPayment>;
  /**
   * Lists the payments that the outside party has made or may still make, since a time of the real clock. A payout is
   * compared with them before it is prepared, so that none is paid again after an older copy of the database was
   * restored.
   */
  list: (since: Date) => Promise<Listing>;
};

/** A registered rail, without an operator's account. */
export type RailDefinition = {
  /** Two to twenty lower-case letters. The method of a withdrawal, on the wire and in the database. */
  id: string;
  /** The name that members read, in English and in Korean. */
  name: string;
  koreanName: string;
  currency: Currency;
  /** The form of a payment's destination. Without one, members can't choose this rail. */
  destination: Destination | null;
  /** The public page of a payment, with `{reference}` in place of its reference; null where there is none. */
  explorer: (config: Config) => string | null;
  account: AccountFacts;
  /** Connects to an operator's account. Undefined if a part of the account is missing or not allowed. */
  connect: ((account: Account, config: Config) => Rail | undefined) | null;
};

/** The currency of a rail. `rateId` is its name at the rate source; null for US dollars, which need no rate. */
export type Currency = { symbol: string; rateId: string | null };

/**
 * The form field of a destination. A `code` has no spaces and is shown in groups of four. `pattern` is only for a hint.
 */
export type DestinationForm = { kind: 'email' | 'code'; pattern: string };

export type Destination = {
  form: DestinationForm;
  /** How a code is checked while it is typed, on the site's network. */
  code?: (config: Config) => CodeFacts;
  /** The shape of a request's `recipientInfo`. */
  shape: z.ZodType<Record<string, string>>;
  /** Returns the text that is stored and paid, or the reason for a refusal. */
  canonical: (given: Record<string, string>, config: Config) => CanonicalDestination;
  /** Returns the displayed text of a stored destination. */
  displayText: (destination: string) => string;
};
export type CanonicalDestination =
  | { kind: 'canonical'; text: string }
  /** `facts` are what the web needs to say the reason in the member's language. */
  | { kind: 'refused'; reason: string; facts?: Record<string, unknown> };

export type Scalar = string | number | boolean;
export type Credentials = Record<string, Scalar | undefined>;

/** The operator's settings. Credentials are sealed as one JSON text. Settings are not secret and are stored as JSON. */
export type Account = { credentials: Credentials; settings: unknown };

export type AccountFacts = {
  /** Every credential is optional, because an operator may set one at a time. */
  credentials: z.ZodObject & z.ZodType<Credentials>;
  /** Names of credentials whose value operators may read. All others are masked. */
  readable: readonly string[];
  /**
   * Names of the credentials that say where the secret ones are sent. After a change of one, each stored secret must be
   * given again, so that nobody can have the server send it to a listener of their own.
   */
  endpointNames: readonly string[];
  /** Returns the values that the settings card shows before an operator sets any. */
  initial: (config: Config) => Record<string, Scalar>;
  /** Finds the first credential that is not allowed, and the reason. */
  findFault: (credentials: Credentials, config: Config) => { name: string; message: string } | undefined;
  settings: z.ZodType;
};

/** The whole amount reaches the destination. The site pays the outside party's fee in addition. */
export type PaymentOrder = {
  withdrawalId: string;
  destination: string;
  /** In units of 10⁻⁸ of the rail's currency. */
  amountUnits: bigint;
};

/** `reference` names the payment at the outside party. `artifact` is the rail's own text. No other code reads it. */
export type Payment = { reference: string; artifact: string };
export type StoredPayment = Payment & Pick<PaymentOrder, 'destination' | 'amountUnits'>;

export type RailState =
  /** `topUpDestination`: where an operator sends money for payouts; null if the outside party names no place. */
  | { kind: 'ready'; network: string; balance: string; topUpDestination: string | null }
  | { kind: 'unavailable'; reason: string };

/** The states of the enabled methods' rails, by method. */
export type RailStates = ReadonlyMap<string, RailState>;

export type QuoteRequest = { amountPoints: bigint; feePoints: bigint };
export type Quote =
  /** `rate` is US dollars for one unit of the currency, as decimal text. */
  { kind: 'quoted'; rate: string; amountUnits: bigint } | { kind: 'refused'; reason: string };

export type PrepareOutcome =
  | ({ kind: 'prepared' } & Payment)
  /** The order can never be paid. Another attempt would end the same. */
  | { kind: 'refused'; reason: string }
  /** No payment was prepared. Try later. */
  | { kind: 'unavailable'; reason: string }
  /** No payment was prepared, because this unfinished artifact can't be read. */
  | { kind: 'unreadable'; artifact: string; reason: string };

export type SendOutcome =
  /** The outside party has the payment, from this call or an earlier one. */
  | { kind: 'sent' }
  /** The outside party refuses the payment, or the artifact can't be read. `inspect` returns its status. */
  | { kind: 'refused'; reason: string }
  /** The outside party may have accepted the payment or may accept it later. Send it again. */
  | { kind: 'unknown'; reason: string };

export type PaymentStatus =
  /**
   * `mayBeForgotten`: the outside party may drop the payment, so it should be sent again. `reason`: why it may not
   * become final; null if nothing is wrong.
   */
  | { kind: 'pending'; mayBeForgotten: boolean; reason: string | null }
  /** The payment is final. */
  | { kind: 'settled' }
  /**
   * Another payment replaced it and pays the same destination, so this one can't be paid any more. `isSame`: the other
   * one certainly pays exactly the ordered amount. `isFinal`: the other one is final, so that this one is impossible.
   */
  | { kind: 'replaced'; by: Payment; isSame: boolean; isFinal: boolean; reason: string }
  /** The payment can never be made, and no other payment replaced it. */
  | { kind: 'failed'; reason: string }
  /** The payment can certainly never be made, through no fault of its own. Another one may be prepared. */
  | { kind: 'lapsed'; reason: string }
  /** The outside party does not know the payment. It may still be sent. */
  | { kind: 'absent'; reason: string | null }
  | { kind: 'unknown'; reason: string };

export type FoundPayment =
  /** `paidUnits` reach the destination; zero if it pays others. */
  | { kind: 'found'; payment: Payment; paidUnits: bigint }
  /**
   * `replaced`: another payment has its place. If that is final, this one can never be made. `by`: the other one's
   * reference; null if it is not known.
   */
  | { kind: 'absent'; reason: string; replaced?: { by: string | null; isFinal: boolean } }
  | { kind: 'unknown'; reason: string };

export type AnyPayment =
  | { kind: 'seen' }
  /** Not made as far as one sees, and it can still be made. */
  | { kind: 'sendable' }
  /** No proof that it was not made. */
  | { kind: 'unseen' }
  | { kind: 'unknown'; reason: string };

/** A payment of the outside party's own list. A payment of several destinations is one entry for each. */
export type ListedPayment = {
  reference: string;
  at: Date;
  /** In canonical form. Empty if the outside party does not name it. */
  destination: string;
  amountUnits: bigint;
  /** The withdrawal that the outside party has noted for the payment; null if it notes none. */
  withdrawalId: string | null;
};

/** A payment in a list that was read now. */
export type ListedNow = ListedPayment & { isFinal: boolean };

/** A payout or a request that is compared with listed payments. `clearedReferences` are those of other payments. */
export type ComparedPayout = Pick<PaymentOrder, 'withdrawalId' | 'destination'> & {
  clearedReferences: readonly string[];
};

export type Listing =
  /** `account` identifies the paying account if the outside party tells. Another one has other payments. */
  { kind: 'listed'; account: string | null; payments: ListedNow[] } | { kind: 'unknown'; reason: string };
