import type { Endpoint } from '#contract/endpoint.ts';
import { severities, suspensionTypes } from '#contract/members-suspensions.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { sql } from '#platform/database.ts';
import type { Person, Site } from './site.ts';

/** The kinds of callers that routes tell apart, each with the decision that follows from a route's declaration. */
export type Declared = Pick<Endpoint, 'access' | 'whileSuspended' | 'refusals'>;
export type Caller = {
  name: string;
  /** Without it the call has no session. */
  as?: Person;
  /** How the routes that need a session refuse this caller; undefined where they admit. */
  refusalOf: (declared: Declared) => RefusalCode | undefined;
};

type SuspensionType = (typeof suspensionTypes)[number];

const ifDeclared = (code: RefusalCode) => (declared: Declared) =>
  declared.refusals.includes(code) ? code : undefined;

const refusalUnder: Record<SuspensionType, Caller['refusalOf']> = {
  earnings_blocked: ifDeclared('earnings-suspended'),
  withdrawal_blocked: ifDeclared('withdrawals-suspended'),
  full_suspension: ({ whileSuspended }) => (whileSuspended === true ? undefined : 'account-suspended'),
};

const unauthenticated = () => 'unauthenticated' as const;

/** What a route for members decides, and `forbidden` at operators' routes. */
const amongMembers =
  (refusalOf: Caller['refusalOf']): Caller['refusalOf'] =>
  (declared) =>
    declared.access === 'operator' ? 'forbidden' : refusalOf(declared);

/** The key of the operators' gate at the site whose callers these are. */
export const GATE_KEY = 'the key of the gate';

/** Makes an operator who passed the gate. */
export async function operatorOf(site: Site): Promise<Person> {
  const person = await site.member({ role: 'admin' });
  await site.call('POST', '/api/auth/admin/gate', { as: person, body: { key: GATE_KEY } });
  return person;
}

/** Makes one caller of each kind. */
export async function callersOf(site: Site): Promise<Caller[]> {
  const member = () => site.member({ balancePoints: 5_000n, isPhoneVerified: true });
  const suspended = async (person: Person, type: SuspensionType, severity: string) => {
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${person.id}, 'A test', ${severity}, ${type}, platform.business_now())`);
    return person;
  };
  const ended = await member();
  await site.call('POST', '/api/auth/logout', { as: ended });
  const callers: Caller[] = [
    { name: 'a visitor', refusalOf: unauthenticated },
    {
      name: 'somebody with an invented session',
      as: { ...ended, cookie: `sid=${'A'.repeat(43)}` },
      refusalOf: unauthenticated,
    },
    { name: 'somebody whose session ended', as: ended, refusalOf: unauthenticated },
    { name: 'a member', as: await member(), refusalOf: amongMembers(() => undefined) },
  ];
  for (const type of suspensionTypes)
    for (const severity of severities)
      callers.push({
        name: `a member under ${severity} ${type}`,
        as: await suspended(await member(), type, severity),
        refusalOf: amongMembers(refusalUnder[type]),
      });
  return [
    ...callers,
    { name: 'an operator', as: await operatorOf(site), refusalOf: () => undefined },
    {
      name: 'an operator before the gate',
      as: await site.member({ role: 'admin' }),
      refusalOf: ({ access }) => (access === 'operator' ? 'wrong-key' : undefined),
    },
    {
      name: 'a suspended operator',
      as: await suspended(await operatorOf(site), 'full_suspension', 'temporary'),
      refusalOf: refusalUnder.full_suspension,
    },
  ];
}
