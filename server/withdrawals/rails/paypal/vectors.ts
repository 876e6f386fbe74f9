import type { RailVectors } from '../vectors.ts';

export const vectors: RailVectors = {
  // One mailbox is one destination however it is typed, or a second account of its owner would not be seen by it.
  right: [{ given: { address: 'Jane@Example.COM' }, canonical: 'jane@example.com' }],
  wrong: [{ address: '' }, { address: 'jane' }, { address: 'jane@example' }, { address: 'a b@example.com' }],
  credentials: {},
  start: null,
};
