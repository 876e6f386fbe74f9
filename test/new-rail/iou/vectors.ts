import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RailVectors } from '../../../server/withdrawals/rails/vectors.ts';

type Note = { destination: string; amount: string };

const letters = 'abcdefghijklmnopqrstuvwxyz';
const randomName = () => Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');

export const vectors: RailVectors = {
  right: [
    { given: { holder: 'Mina' }, canonical: 'mina' },
    { given: { holder: 'mina' }, canonical: 'mina' },
  ],
  wrong: [{ holder: '' }, { holder: 'm' }, { holder: 'mina kim' }],
  credentials: { book: '/nowhere', pin: 'canary-pin' },
  start: async (t) => {
    const book = mkdtempSync(join(tmpdir(), 'iou-'));
    const stop = async () => rmSync(book, { recursive: true, force: true });
    t.after(stop);
    const notes = () => readdirSync(book).filter((name) => name.endsWith('.json'));
    return {
      credentials: { book, pin: 'canary-pin' },
      recipient: () => ({ holder: randomName() }),
      settle: async () => {
        for (const name of notes()) writeFileSync(join(book, `${name}.paid`), '');
      },
      paidTo: async (destination) =>
        notes()
          .map((name) => JSON.parse(readFileSync(join(book, name), 'utf8')) as Note)
          .filter((note) => note.destination === destination)
          .map(({ amount }) => BigInt(amount)),
      stop,
    };
  },
};
