import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { payoutUnits } from '../../../server/withdrawals/payout-amount.ts';
import type { Listing, Rail, RailDefinition } from '../../../server/withdrawals/rails/rail.ts';

/**
 * A fictional rail: a folder of notes, one file each. A note is written once under its own name. It counts as paid
 * when the keeper of the folder has marked it.
 */
const credentialsShape = z.strictObject({
  book: z.string().max(200).optional(),
  pin: z.string().max(40).optional(),
});
const CENT_UNITS = 1_000_000n;
const away = 'The book is not there.';

export const rail: RailDefinition = {
  id: 'iou',
  name: 'Paper Notes',
  koreanName: '종이 어음',
  currency: { symbol: 'USD', rateId: null },
  destination: {
    form: { kind: 'code', pattern: '^[A-Za-z]{2,20}$' },
    shape: z.strictObject({ holder: z.string().max(40) }),
    canonical: ({ holder = '' }) =>
      /^[a-z]{2,20}$/i.test(holder)
        ? { kind: 'canonical', text: holder.toLowerCase() }
        : { kind: 'refused', reason: 'A holder has 2 to 20 letters.' },
    displayText: (destination) => `note to ${destination}`,
  },
  explorer: () => null,
  account: {
    credentials: credentialsShape,
    readable: ['book'],
    endpointNames: [],
    initial: () => ({ book: '', pin: '' }),
    findFault: ({ book }) => (book === '/' ? { name: 'book', message: 'This folder is no book' } : undefined),
    settings: z.strictObject({}),
  },
  connect: ({ credentials }) => {
    const { book, pin } = credentialsShape.parse(credentials);
    return book && pin ? railOn(book) : undefined;
  },
};

function railOn(book: string): Rail {
  const isThere = () => existsSync(book);
  const noteOf = (reference: string) => join(book, `${reference}.json`);
  return {
    check: async () =>
      isThere()
        ? { kind: 'ready', network: 'paper', balance: '1000', topUpDestination: null }
        : { kind: 'unavailable', reason: away },
    testConnection: async () => [
      isThere()
        ? { name: 'folder', ok: true, text: 'It is there.' }
        : { name: 'folder', ok: false, text: away },
    ],
    quote: async ({ amountPoints, feePoints }) => {
      const units = payoutUnits(amountPoints, feePoints, '1');
      const amountUnits = units - (units % CENT_UNITS);
      return amountUnits === 0n
        ? { kind: 'refused', reason: 'Less than a cent.' }
        : { kind: 'quoted', rate: '1', amountUnits };
    },
    prepare: async ({ withdrawalId: reference, destination, amountUnits }) => {
      if (!isThere()) return { kind: 'unavailable', reason: away };
      const artifact = JSON.stringify({ reference, destination, amount: String(amountUnits) });
      return { kind: 'prepared', reference, artifact };
    },
    send: async (artifact) => {
      if (!isThere()) return { kind: 'unknown', reason: away };
      const { reference } = JSON.parse(artifact) as { reference: string };
      if (!existsSync(noteOf(reference))) writeFileSync(noteOf(reference), artifact);
      return { kind: 'sent' };
    },
    inspect: async ({ reference }) => {
      if (!isThere()) return { kind: 'unknown', reason: away };
      if (existsSync(`${noteOf(reference)}.paid`)) return { kind: 'settled' };
      return existsSync(noteOf(reference))
        ? { kind: 'pending', mayBeForgotten: false, reason: null }
        : { kind: 'absent', reason: null };
    },
    find: async (reference, destination) => {
      if (!isThere()) return { kind: 'unknown', reason: away };
      if (!existsSync(noteOf(reference))) return { kind: 'absent', reason: 'There is no such note.' };
      const artifact = readFileSync(noteOf(reference), 'utf8');
      const note = JSON.parse(artifact) as Record<string, string>;
      const paidUnits = note.destination === destination ? BigInt(note.amount ?? '0') : 0n;
      return { kind: 'found', payment: { reference, artifact }, paidUnits };
    },
    list: async (since) => (isThere() ? listed(book, since) : { kind: 'unknown', reason: away }),
  };
}

function listed(book: string, since: Date): Listing {
  const notes = readdirSync(book).filter((name) => name.endsWith('.json'));
  const payments = notes.map((name) => {
    const note = JSON.parse(readFileSync(join(book, name), 'utf8')) as Record<string, string>;
    const { reference = '', destination = '', amount = '' } = note;
    const amountUnits = BigInt(amount);
    const isFinal = existsSync(join(book, `${name}.paid`));
    return { reference, at: new Date(), destination, amountUnits, withdrawalId: reference, isFinal };
  });
  return { kind: 'listed', account: book, payments: payments.filter(({ at }) => at >= since) };
}
