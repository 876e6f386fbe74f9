import type { RailVectors } from '../vectors.ts';

export const vectors: RailVectors = {
  // Lower case makes one text of a mailbox, so that two accounts with the same mailbox are found.
  right: [
    { given: { address: 'Jane@Example.COM' }, canonical: 'jane@example.com' },
    { given: { address: 'kim@예시.한국' }, canonical: 'kim@xn--vv4b11d.xn--3e0b707e' },
    { given: { address: 'kim@XN--VV4B11D.xn--3e0b707e' }, canonical: 'kim@xn--vv4b11d.xn--3e0b707e' },
  ],
  wrong: [{ address: '' }, { address: 'jane' }, { address: 'jane@example' }, { address: 'a b@example.com' }],
  credentials: {},
  start: null,
};
