import assert from 'node:assert/strict';
import { type Database, sql, sqlText } from '#platform/database.ts';
import { deviceTextOf } from '../test/device.ts';
import { offerMethod } from '../test/offered-methods.ts';
import { newTransaction, startPostbacks, values } from '../test/postback-site.ts';
import type { Answer, Person } from '../test/site.ts';
import { type Bench, type BenchOptions, interleave, median, type Outcome, ratioFigure } from './figure.ts';

/**
 * What the risk checks that run inside calls add to the median of a registration, a sign-in, a postback and a
 * withdrawal. One site in this process is measured with them and without them, in turns. With them 10,000 addresses and
 * 1,000 domains are blocked. Without them nothing is blocked, and the functions of risk that calls ask say no at once.
 * The looks at a registration's browser and mailbox are older than the rules and stay in both.
 */
const ROUNDS = 11;
const PASSWORD = 'a quiet river 7';
const CALLS = { registration: 20, 'sign-in': 20, postback: 150, withdrawal: 50 };
const WITHDRAWALS_A_DAY = 5;
const BLOCKED_ADDRESSES = 10_000;
const BLOCKED_DOMAINS = 1_000;
/** Those that say whether something is so, as a boolean. The ones that this version has are replaced. */
const ASKED = ['is_domain_blocked', 'review_of'];

type Started = Awaited<ReturnType<typeof startPostbacks>>;
type Definition = { text: string };

const replacedBy = ({ text }: Definition): string =>
  `${text.slice(0, text.search(/^\s*(AS \$|RETURN )/m))} AS $function$ select false $function$`;

async function createSwitch({ site }: Started) {
  const originals = await site.owner.rows<Definition>(sql`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'risk'::regnamespace and p.proname = any (${ASKED}::text[])`);
  const apply = async (texts: string[]) => {
    for (const text of texts) await site.owner.rows(sqlText(text));
    site.platform.bus.announceWaiting(['blocks']);
    // The node reads the addresses, and the first calls plan their statements again.
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  return {
    with: async () => {
      await addBlocks(site.owner);
      await apply(originals.map(({ text }) => text));
    },
    without: async () => {
      await site.owner.rows(sql`delete from risk.blocks`);
      await apply(originals.map(replacedBy));
    },
  };
}

const addBlocks = (owner: Database) =>
  owner.rows(sql`
    insert into risk.blocks (kind, value, reason, duration, created_at, created_by)
    select b.kind, b.value, 'bench', 'permanent', platform.business_now(), (
      select min(id) from members.members where role = 'admin')
    from (
      select 'ip', host('9.0.0.0'::inet + g) from generate_series(1, ${BLOCKED_ADDRESSES}) g
      union all
      select 'domain', 'blocked' || g || '.example' from generate_series(1, ${BLOCKED_DOMAINS}) g) b (kind, value)
    on conflict do nothing`);

async function callsOf({ site, send }: Started) {
  let count = 0;
  const good = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    assert.ok(status < 300, JSON.stringify(body));
  };
  const register = (email: string) =>
    site.call('POST', '/api/auth/register', {
      body: {
        email,
        password: PASSWORD,
        firstName: 'Mina',
        hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
        deviceFingerprint: deviceTextOf({ canvas: email }),
      },
    });
  await good(register('known@example.com'));
  await offerMethod(site.platform, 'litecoin');
  const earner = await site.member();
  let asking: Person = earner;
  return {
    registration: () => {
      count += 1;
      return good(register(`new${count}@example.com`));
    },
    'sign-in': () =>
      good(
        site.call('POST', '/api/auth/login', { body: { email: 'known@example.com', password: PASSWORD } }),
      ),
    postback: () => good(send('cpx', values('cpx', earner.id, newTransaction()))),
    withdrawal: async () => good(withdraw(site, asking)),
    /** A member may ask five times a day. */
    nextAsker: async () => {
      asking = await site.member({ balancePoints: 100_000n, isPhoneVerified: true });
    },
  };
}

const withdraw = (site: Started['site'], as: Person) =>
  site.call('POST', '/api/withdrawal', {
    as,
    body: {
      method: 'litecoin',
      amountPoints: '1000',
      recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
    },
  });

type Calls = Awaited<ReturnType<typeof callsOf>>;
const names = ['registration', 'sign-in', 'postback', 'withdrawal'] as const;
type Name = (typeof names)[number];

/** The median of some calls, one after the other, in milliseconds. */
async function medianMs(calls: Calls, name: Name): Promise<number> {
  const times: number[] = [];
  for (let made = 0; made < CALLS[name]; made += 1) {
    if (name === 'withdrawal' && made % WITHDRAWALS_A_DAY === 0) await calls.nextAsker();
    const startedAt = performance.now();
    await calls[name]();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function measureAll(started: Started, options: BenchOptions): Promise<Outcome> {
  const turn = await createSwitch(started);
  const calls = await callsOf(started);
  for (const name of names) await medianMs(calls, name);
  const series = await interleave(
    Object.fromEntries(
      names.flatMap((name) =>
        (['without', 'with'] as const).map((side) => [
          `${name} ${side} checks`,
          async () => {
            await turn[side]();
            await calls[name === 'withdrawal' ? 'nextAsker' : name]();
            return medianMs(calls, name);
          },
        ]),
      ),
    ) as Record<`${Name} ${'with' | 'without'} checks`, () => Promise<number>>,
    { rounds: ROUNDS, unit: 'ms', log: options.log },
  );
  return {
    figures: names.map((name) =>
      ratioFigure(
        { id: 'B23', title: `p50 of a ${name} with risk checks ÷ without`, target: { max: 1.1 } },
        series[`${name} with checks`],
        series[`${name} without checks`],
      ),
    ),
    series: Object.values(series),
    notes: [],
  };
}

async function run(options: BenchOptions): Promise<Outcome> {
  const ends: (() => Promise<void>)[] = [];
  const started = await startPostbacks({ after: (end) => void ends.push(end) });
  try {
    return await measureAll(started, options);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

export const riskBench: Bench = { name: 'risk', ids: ['B23'], run };
