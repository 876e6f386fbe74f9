import { fullNameOf } from '#contract/full-name.ts';
import { type Found, readWaiting, search } from '#contract/panel.ts';
import type { Screen } from '#contract/screens.ts';
import { readRegistrationsWait, searchRegistrations } from './access/registration-reviews.ts';
import { countOpenReports } from './chat/reports.ts';
import { countOpenClaims } from './claims/claims.ts';
import { readAppealsWait } from './decisions/decisions.ts';
import { countHeldEarnings } from './earning/earning.ts';
import { searchEarnings, searchPostbacks, searchQuarantine } from './earning/search.ts';
import { readQuarantineWait } from './earning/waiting.ts';
import { countPendingGrants } from './grants/grants.ts';
import { searchMembers } from './members/members.ts';
import { overviewRoutes } from './overview.ts';
import { handle } from './platform/http/handle.ts';
import { searchTermsOf } from './platform/http/operator-list.ts';
import type { Platform } from './platform/platform.ts';
import { countOpenTickets, searchTickets } from './support/support.ts';
import { readWithdrawalStats } from './withdrawals/queue-figures.ts';
import { searchWithdrawals } from './withdrawals/search.ts';
import { countParkedPayouts } from './withdrawals/waiting.ts';

/**
 * The frame around the operators' screens: what waits, the first page, and the search over all features. It asks the
 * features' front doors and has no rule of its own, apart from which screen shows what was found. Every open screen
 * reads the counts again every few seconds, so each is stored or bounded; every search is a lookup by an index.
 */
export function panelRoutes(platform: Platform): void {
  handle(platform, readWaiting, async () => {
    const [
      withdrawals,
      approvals,
      tickets,
      claims,
      grants,
      registrations,
      quarantine,
      payouts,
      chatReports,
      appeals,
    ] = await Promise.all([
      readWithdrawalStats(platform),
      countHeldEarnings(platform),
      countOpenTickets(platform),
      countOpenClaims(platform),
      countPendingGrants(platform),
      readRegistrationsWait(platform.database),
      readQuarantineWait(platform.database),
      countParkedPayouts(platform.database),
      countOpenReports(platform),
      readAppealsWait(platform),
    ]);
    return {
      withdrawals: withdrawals.pendingWithdrawals,
      approvals,
      tickets,
      claims,
      grants,
      registrations: registrations.count,
      quarantine: quarantine.count,
      payouts,
      chatReports,
      appeals: appeals.count,
    };
  });
  handle(platform, search, ({ query }) => findAll(platform, query.q));
  overviewRoutes(platform);
}

/** Of each kind. An address that many withdrawals share is a question for the list, which has pages. */
const FOUND_MAX = 5;

const points = new Intl.NumberFormat('en-US');

/** A screen with a row open in its sheet. */
const opened = (screen: Screen, id: string, filters: Readonly<Record<string, string>> = {}): string =>
  `${screen}?${new URLSearchParams({ ...filters, open: id })}`;

const linkOfMember = (id: number): string =>
  `${'/management-panel-x7k9w/users/member' satisfies Screen}?${new URLSearchParams({ id: String(id) })}`;

/** The first of a kind, and where there are more, the list that finds all of them by the same text. */
function firstOf<One>(
  kind: Found['kind'],
  all: readonly One[],
  foundOf: (one: One) => Found,
  list: { screen: Screen; filters?: Readonly<Record<string, string>>; text: string },
): Found[] {
  const { screen, filters, text } = list;
  const link = `${screen}?${new URLSearchParams({ ...filters, q: text })}`;
  const rest: Found[] = all.length > FOUND_MAX ? [{ kind, id: text, title: text, link, isAll: true }] : [];
  return [...all.slice(0, FOUND_MAX).map(foundOf), ...rest];
}

/** What has this text as its id, name, address or transaction, in the order in which an operator expects it. */
async function findAll({ database }: Platform, text: string): Promise<Found[]> {
  const terms = searchTermsOf(text);
  const countMax = FOUND_MAX + 1;
  const [withdrawals, members, registrations, earnings, postbacks, quarantine, tickets] = await Promise.all([
    searchWithdrawals(database, terms, countMax),
    searchMembers(database, terms, countMax),
    searchRegistrations(database, terms),
    searchEarnings(database, terms, FOUND_MAX),
    searchPostbacks(database, terms, countMax),
    searchQuarantine(database, terms, countMax),
    searchTickets(database, terms),
  ]);
  return [
    ...firstOf('withdrawal', withdrawals, foundWithdrawal, {
      screen: '/management-panel-x7k9w/withdrawals',
      filters: { status: 'all' },
      text: terms.text,
    }),
    ...firstOf('member', members, foundMember, { screen: '/management-panel-x7k9w/users', text: terms.text }),
    ...registrations.map(
      ({ id, email, status }): Found => ({
        kind: 'registration',
        id,
        title: email,
        link: opened('/management-panel-x7k9w/registrations', id, status === 'open' ? {} : { status: 'all' }),
      }),
    ),
    ...earnings.map(
      ({ transactionId, providerName, memberId, points: amount, heldId, ...name }): Found => ({
        kind: 'earning',
        id: transactionId,
        title: `${fullNameOf(name)}, ${providerName}, ${points.format(amount)} P`,
        link:
          heldId === null
            ? linkOfMember(memberId)
            : opened('/management-panel-x7k9w/approvals', String(heldId)),
      }),
    ),
    ...foundCalls(terms.text, postbacks, quarantine),
    ...tickets.map(
      ({ id, subject, status }): Found => ({
        kind: 'ticket',
        id,
        title: subject,
        link: opened('/management-panel-x7k9w/support', id, status === 'open' ? {} : { status: 'all' }),
      }),
    ),
  ];
}

const foundWithdrawal = ({
  id,
  state,
  amountPoints,
  foundReference,
  ...name
}: Awaited<ReturnType<typeof searchWithdrawals>>[number]): Found => ({
  kind: foundReference === null ? 'withdrawal' : 'transaction',
  id: foundReference ?? id,
  title: `${fullNameOf(name)}, ${points.format(amountPoints)} P`,
  // The list shows pending withdrawals unless a filter says otherwise.
  link: opened('/management-panel-x7k9w/withdrawals', id, state === 'pending' ? {} : { status: 'all' }),
});

const foundMember = (member: Awaited<ReturnType<typeof searchMembers>>[number]): Found => ({
  kind: 'member',
  id: String(member.id),
  title: `${fullNameOf(member)}, ${member.email}`,
  link: linkOfMember(member.id),
});

/** Providers' calls, and those in quarantine that nobody has resolved. */
const foundCalls = (
  text: string,
  postbacks: Awaited<ReturnType<typeof searchPostbacks>>,
  quarantine: Awaited<ReturnType<typeof searchQuarantine>>,
): Found[] => [
  ...firstOf(
    'postback',
    postbacks,
    ({ id, providerName }) => ({
      kind: 'postback',
      id: text,
      title: `${providerName}, #${id}`,
      link: opened('/management-panel-x7k9w/postbacks', String(id), { q: text }),
    }),
    { screen: '/management-panel-x7k9w/postbacks', text },
  ),
  ...firstOf(
    'quarantine',
    quarantine,
    ({ id, providerName, transactionId, points: amount }) => ({
      kind: 'quarantine',
      id: transactionId,
      title: amount === null ? providerName : `${providerName}, ${points.format(amount)} P`,
      link: opened('/management-panel-x7k9w/postbacks/quarantine', String(id)),
    }),
    { screen: '/management-panel-x7k9w/postbacks/quarantine', text },
  ),
];
