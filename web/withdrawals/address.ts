import type { Method } from '#contract/withdrawals.ts';

/**
 * What can be said about an address while it is typed. The server has the last word (checksum and network), so
 * this only catches the slip of pasting one coin's address under another, and otherwise hints.
 */
export type AddressLook = 'empty' | 'unsure' | 'right' | 'of-litecoin' | 'of-dash';

const litecoin = /^(?:[LM][1-9A-HJ-NP-Za-km-z]{25,34}|ltc1[02-9ac-hj-np-z]{20,80})$/;
const dash = /^[X7][1-9A-HJ-NP-Za-km-z]{25,34}$/;
const mail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function lookOf(method: Method, typed: string): AddressLook {
  const address = typed.trim();
  if (address === '') return 'empty';
  if (method === 'paypal') return mail.test(address) ? 'right' : 'unsure';
  if (method === 'litecoin')
    return litecoin.test(address) ? 'right' : dash.test(address) ? 'of-dash' : 'unsure';
  return dash.test(address) ? 'right' : litecoin.test(address) ? 'of-litecoin' : 'unsure';
}
