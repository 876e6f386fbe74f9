/**
 * Why a payout address is refused, and what the member can ask the wallet for. The refusal `invalid-address` has the
 * name as `fault`, the first characters of payable addresses as `beginnings`, and the first one of the refused address
 * as `start`. The web translates by the name.
 */
export const addressFaults = {
  'like-bitcoin':
    'Addresses that begin with {start} can’t be told from Bitcoin’s. ' +
    'Ask your wallet for one that begins with {beginnings}.',
  private: 'Private (MWEB) addresses can’t be paid. Ask your wallet for one that begins with {beginnings}.',
  'other-coin':
    'This is an address of another coin. Ask your wallet for a {name} address; it begins with {beginnings}.',
  'other-method':
    'This is a {other} address. Choose {other}, or ask your wallet for a {name} address; ' +
    'it begins with {beginnings}.',
  'test-network':
    'This is an address of a test network. Ask your wallet for a {name} address that begins with {beginnings}.',
  'not-alone': 'Enter the address alone, without spaces and without what stands before or behind it.',
  mistyped:
    'A character of this {name} address is wrong or missing. Copy it in your wallet and paste it whole.',
  'other-form': 'This is no {name} address. Ask your wallet for one that begins with {beginnings}.',
  'no-email':
    '{name} pays to an e-mail address: enter that of your {name} account. ' +
    'Phone numbers, user names and links can’t be paid.',
} as const;

export type AddressFault = keyof typeof addressFaults;

export const addressFaultNames = Object.keys(addressFaults) as AddressFault[];

export const isAddressFault = (name: unknown): name is AddressFault =>
  typeof name === 'string' && Object.hasOwn(addressFaults, name);
