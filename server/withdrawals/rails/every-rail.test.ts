import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { MASKED } from '#platform/secrets.ts';
import { balanceOf, faultsOfBooks, startWorld, sweepNow } from '../../../test/withdrawals-world.ts';
import { approveWithdrawal } from '../decisions.ts';
import { changePaymentMethod, findRail } from '../payment-methods.ts';
import { readWithdrawal } from '../withdrawal-list.ts';
import { requestWithdrawal } from '../withdrawals.ts';
import type { PaymentOrder, Rail, RailDefinition } from './rail.ts';
import { rails } from './registry.ts';
import type { OutsideParty, RailVectors } from './vectors.ts';

/** Tests each registered rail against the promises of `rail.ts`. A new rail needs no change here. */
const world = await startWorld({ after });
const { parts, owner, operator } = world;
const { config } = parts;
const registered = await Promise.all(
  rails.map(async (definition) => {
    const { vectors } = (await import(`./${definition.id}/vectors.ts`)) as { vectors: RailVectors };
    return { definition, vectors };
  }),
);

function canonicalOf(definition: RailDefinition, given: Record<string, string>): string | undefined {
  const outcome = definition.destination?.canonical(given, config);
  return outcome?.kind === 'canonical' ? outcome.text : undefined;
}

for (const { definition, vectors } of registered) {
  const { id, destination, account } = definition;

  describe(`the rail ${id}`, () => {
    it('has an id that fits the wire and the database, and a name', () => {
      assert.match(id, /^[a-z]{2,20}$/);
      assert.notEqual(definition.name, '');
    });

    it('gives a destination one canonical form, and refuses a wrong one with a reason', () => {
      assert.equal(destination !== null, vectors.right.length > 0);
      for (const { given, canonical } of vectors.right) {
        assert.deepEqual(destination?.shape.parse(given), given);
        assert.equal(canonicalOf(definition, given), canonical);
        assert.notEqual(destination?.displayText(canonical), '');
      }
      for (const given of vectors.wrong) {
        const outcome = destination?.canonical(given, config);
        assert(outcome?.kind === 'refused' && outcome.reason !== '', JSON.stringify(given));
      }
      assert.equal(destination?.shape.safeParse({ unknown: 'x' }).success ?? false, false);
      if (destination) assert.doesNotThrow(() => new RegExp(destination.form.pattern));
    });

    it('seals its credentials, shows no secret, and refuses unknown credentials', async () => {
      const { credentials } = await changePaymentMethod(parts, id, { credentials: vectors.credentials });
      const shown = { ...vectors.credentials };
      for (const name of Object.keys(shown)) if (!account.readable.includes(name)) shown[name] = MASKED;
      assert.deepEqual(credentials, shown);
      const stored = await owner.rows(
        sql`select method, sealed_credentials, settings from withdrawals.methods`,
      );
      assert(!JSON.stringify(stored).includes('canary'));
      const unknown = changePaymentMethod(parts, id, { credentials: { unheardOf: 'x' } });
      await assert.rejects(unknown, { code: 'invalid-request' });
    });

    it('connects only with a complete account', () => {
      const connect = (credentials: object) =>
        definition.connect?.({ credentials: { ...credentials }, settings: {} }, config);
      assert.equal(connect({}), undefined);
      assert.equal(connect(vectors.credentials) !== undefined, definition.connect !== null);
      assert.equal(vectors.start !== null, definition.connect !== null);
    });

    if (vectors.start !== null) connected(definition, vectors.start);
  });
}

function connected(definition: RailDefinition, start: NonNullable<RailVectors['start']>): void {
  const { id } = definition;
  const amountUnits = 12_340_000n;
  let count = 0;
  const open = async (): Promise<{ rail: Rail; party: OutsideParty }> => {
    const party = await start({ after });
    await changePaymentMethod(parts, id, { isEnabled: true, credentials: party.credentials });
    const rail = await findRail(parts, id);
    assert(rail);
    return { rail, party };
  };
  const orderFor = (party: OutsideParty): PaymentOrder => {
    const destination = canonicalOf(definition, party.recipient());
    assert(destination);
    count += 1;
    const withdrawalId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    return { withdrawalId, destination, amountUnits };
  };
  const prepare = async (rail: Rail, order: PaymentOrder, unfinished: readonly string[] = []) => {
    const outcome = await rail.prepare(order, unfinished, []);
    assert(outcome.kind === 'prepared', JSON.stringify(outcome));
    return { ...outcome, destination: order.destination, amountUnits: order.amountUnits };
  };

  it('reports its balance', async () => {
    const { rail } = await open();
    const state = await rail.check();
    assert(state.kind === 'ready' && state.network !== '');
    assert.match(state.balance, /^\d+(\.\d+)?$/);
  });

  it('quotes an amount that is worth at most the points, and refuses a quote for zero', async () => {
    const { rail } = await open();
    const quote = await rail.quote({ amountPoints: 1_805n, feePoints: 1_000n }, async () => '80.5');
    assert(quote.kind === 'quoted' && quote.amountUnits > 0n);
    const [whole = '', decimals = ''] = quote.rate.split('.');
    const scale = 10n ** BigInt(decimals.length);
    assert(quote.amountUnits * BigInt(whole + decimals) * 1_000n <= 805n * 100_000_000n * scale);
    const nothing = await rail.quote({ amountPoints: 1_000n, feePoints: 1_000n }, async () => '80.5');
    assert.equal(nothing.kind, 'refused');
  });

  it('prepares without an effect outside, also beside an unfinished payment', async () => {
    const { rail, party } = await open();
    const before = await rail.check();
    const order = orderFor(party);
    const first = await prepare(rail, order);
    assert.deepEqual(await party.paidTo(order.destination), []);
    assert.deepEqual(await rail.check(), before);
    assert.equal((await rail.inspect(first)).kind, 'absent');
    const other = orderFor(party);
    const second = await prepare(rail, other, [first.artifact]);
    assert.notEqual(second.reference, first.reference);
    for (const payment of [second, first])
      assert.deepEqual(await rail.send(payment.artifact), { kind: 'sent' });
    await party.settle();
    for (const { destination } of [order, other])
      assert.deepEqual(await party.paidTo(destination), [amountUnits]);
  });

  it('pays once when it sends repeatedly, and reports a settled payment', async () => {
    const { rail, party } = await open();
    const startedAt = new Date(Date.now() - 1_000);
    const order = orderFor(party);
    const payment = await prepare(rail, order);
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual(await rail.send(payment.artifact), { kind: 'sent' });
    assert(['pending', 'settled'].includes((await rail.inspect(payment)).kind));
    await party.settle();
    assert.deepEqual(await rail.inspect(payment), { kind: 'settled' });
    assert.deepEqual(await rail.send(payment.artifact), { kind: 'sent' });
    assert.deepEqual(await party.paidTo(order.destination), [amountUnits]);
    const listing = await rail.list(startedAt);
    assert(listing.kind === 'listed');
    const { reference } = payment;
    assert.deepEqual(
      listing.payments.map(({ at: _at, withdrawalId: _withdrawalId, ...listed }) => listed),
      [{ reference, destination: order.destination, amountUnits, isFinal: true }],
    );
    for (const { withdrawalId } of listing.payments)
      assert(
        [null, order.withdrawalId].includes(withdrawalId),
        'our own name of it, where the party keeps one',
      );
    const later = await rail.list(new Date(Date.now() + 60_000));
    assert.deepEqual(later, { ...listing, payments: [] });
  });

  it('returns values and throws nothing while the outside party is down', async () => {
    const { rail, party } = await open();
    const order = orderFor(party);
    const payment = await prepare(rail, order);
    await party.stop();
    assert.equal((await rail.check()).kind, 'unavailable');
    assert.equal((await rail.prepare(order, [], [])).kind, 'unavailable');
    assert.equal((await rail.send(payment.artifact)).kind, 'unknown');
    assert.equal((await rail.inspect(payment)).kind, 'unknown');
    assert.equal((await rail.list(new Date(0))).kind, 'unknown');
  });

  it('pays an approved withdrawal through the payouts, to the unit, once', async () => {
    const { party } = await open();
    const member = await world.member(5_000n);
    const recipientInfo = party.recipient();
    const request = { amountPoints: '2000', method: id, recipientInfo };
    const { reply } = await requestWithdrawal(parts, member, request, null);
    await approveWithdrawal(parts, operator, reply.id);
    for (let sweep = 0; sweep < 3; sweep += 1) await sweepNow(world);
    await party.settle();
    await sweepNow(world);
    assert.equal((await readWithdrawal(parts.database, reply.id)).payoutState, 'confirmed');
    const { amount_units: owed } = await owner.one<{ amount_units: bigint }>(
      sql`select amount_units from withdrawals.payouts where withdrawal_id = ${reply.id}`,
    );
    assert.deepEqual(await party.paidTo(canonicalOf(definition, recipientInfo) ?? ''), [owed]);
    assert.equal(await balanceOf(world, member), 3_000n);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
}
