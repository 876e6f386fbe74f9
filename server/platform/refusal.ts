import { type RefusalCode, refusals } from '#contract/refusals.ts';

/** The default `Retry-After` of a 503, in seconds. */
const OVERLOADED_RETRY_AFTER_S = 2;

/** A call that a rule refuses. It is sent as problem details with the status of its code in the contract. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly extensions: Record<string, unknown>;
  readonly retryAfterS: number | null;

  constructor(
    code: RefusalCode,
    detail?: string,
    extensions: Record<string, unknown> = {},
    retryAfterS?: number,
  ) {
    super(detail ?? refusals[code].detail);
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.extensions = extensions;
    this.retryAfterS = retryAfterS ?? (this.status === 503 ? OVERLOADED_RETRY_AFTER_S : null);
  }
}

/**
 * Makes a refusal to throw: `throw refuse('below-minimum', 'Minimum withdrawal amount for {Method} is 1,000 points.')`.
 */
export const refuse = (code: RefusalCode, detail?: string, extensions?: Record<string, unknown>): Refusal =>
  new Refusal(code, detail, extensions);
