import type { Entry } from './withdrawal-row.tsx';

/** What a request pays, without the zeros at its end: `0.05831 LTC`. Empty before the approval. */
export const paidText = ({ coinAmount }: Pick<Entry, 'coinAmount'>, currency: string): string =>
  coinAmount === null ? '' : `${coinAmount.replace(/\.?0+$/, '')}\u00a0${currency}`;
