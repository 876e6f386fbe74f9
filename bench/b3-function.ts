import { prepareAnchor } from './anchor.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, ratioFigure } from './figure.ts';
import { pgbench } from './pgbench.ts';
import { withSite } from './site.ts';
import { addMembers, assertBooksClean, MEMBER_FIRST, MEMBERS } from './world.ts';

/** B3 and B4: the function that the postback route calls for one postback, without HTTP. */

/** A pgbench script that books one new credit of CPX Research for one of `members` members. */
export const creditScript = (members: number = MEMBERS): string => `
\\set member random(${MEMBER_FIRST}, ${MEMBER_FIRST + members - 1})
\\set a random(1, 9000000000000000000)
select verdict, member_id, balance from earning.book_credit('cpx', 'pgbench-' || :a, (:member)::text, 150::bigint,
  150000::bigint, '', false, null,
  'GET http://localhost/api/webhooks/postback/cpx?status=1&trans_id=pgbench-' || :a || '&user_id=' || :member ||
  '&amount_local=150&amount_usd=0.15&offer_id=4711&type=complete&ip_click=203.0.113.7' ||
  '&secure_hash=0123456789abcdef0123456789abcdef', '127.0.0.1');
`;

const secondsOf = ({ isFull }: BenchOptions): number => (isFull ? 20 : 8);

async function measureFunction(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite(async (site) => {
    const anchor = await prepareAnchor(site, seconds);
    await addMembers(site);
    const credit = { url: site.urls.appUrl, script: creditScript(), clients: 16 };
    await pgbench({ ...credit, seconds: 2 });
    const series = await interleave(
      { 'minimal credit': anchor, 'one credit': () => pgbench({ ...credit, seconds }) },
      { unit: '/s', log: options.log },
    );
    await assertBooksClean(site.superuser);
    return {
      figures: [
        ratioFigure(
          {
            id: 'B3',
            title: 'The booking function, one item, 16 clients ÷ minimal credit',
            target: { min: 0.4 },
            aim: { min: 0.6 },
          },
          series['one credit'],
          series['minimal credit'],
        ),
      ],
      series: Object.values(series),
      notes: ['The books audit clean'],
    };
  });
}

async function measureScaling(options: BenchOptions): Promise<Outcome> {
  const seconds = secondsOf(options);
  return withSite(async (site) => {
    await addMembers(site);
    const credit = { url: site.urls.appUrl, script: creditScript(), seconds };
    await pgbench({ ...credit, clients: 16, seconds: 2 });
    const series = await interleave(
      {
        'credits, 1 client': () => pgbench({ ...credit, clients: 1 }),
        'credits, 16 clients': () => pgbench({ ...credit, clients: 16 }),
      },
      { unit: '/s', log: options.log },
    );
    await assertBooksClean(site.superuser);
    return {
      figures: [
        ratioFigure(
          {
            id: 'B4',
            title: 'Credits from one provider, 16 clients ÷ 1 client',
            target: { min: 3 },
            aim: { min: 3.8 },
          },
          series['credits, 16 clients'],
          series['credits, 1 client'],
        ),
      ],
      series: Object.values(series),
      notes: ['The books audit clean'],
    };
  });
}

export const functionBench: Bench = { name: 'b3', ids: ['B3'], run: measureFunction };
export const scalingBench: Bench = { name: 'b4', ids: ['B4'], run: measureScaling };
