import type { RailVectors } from '../vectors.ts';

export const vectors: RailVectors = {
  // Lower case makes one text of a mailbox, so that two accounts with the same mailbox are found.
  right: [{ given: { address: 'Jane@Example.COM' }, canonical: 'jane@example.com' }],
  wrong: [{ address: '' }, { address: 'jane' }, { address: 'jane@example' }, { address: 'a b@example.com' }],
  credentials: {},
  start: null,
};
