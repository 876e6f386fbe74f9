import { openDatabase, sql } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { siteChecks } from '../server/books.ts';
import { auditSite, shareOf } from '../server/ledger/books.ts';
import { creditScript } from './b3-function.ts';
import { addMovements } from './bulk-rows.ts';
import {
  type Bench,
  type BenchOptions,
  interleave,
  type Outcome,
  plainFigure,
  ratioFigure,
} from './figure.ts';
import { pgbench } from './pgbench.ts';
import { type Site, withSite } from './site.ts';
import { addMembers } from './world.ts';

/**
 * B20: the audit of all books, with an earning for each movement and 200,000 members. Its time on a site that does
 * nothing else, two checks at a time; and the credits per second beside an audit as the site makes it ÷ alone.
 */
const MEMBERS = 200_000;
const ROWS = 2_000_000;
const ROWS_FULL = 20_000_000;
const CLIENTS = 16;
const log = createLog('warn');

/** Ends the audits that the site itself has planned. */
const endAudits = ({ superuser }: Site) =>
  superuser.rows(
    sql`update ledger.audits set finished_at = now() where finished_at is null and cause <> 'night'`,
  );

async function measure(site: Site, options: BenchOptions): Promise<Outcome> {
  const rows = options.isFull ? ROWS_FULL : ROWS;
  options.log(`  writing ${rows.toLocaleString('en')} movements and earnings`);
  await endAudits(site);
  await addMembers(site, MEMBERS);
  await addMovements(site, { members: MEMBERS, count: rows, withEarnings: true });
  await endAudits(site);
  // The day sums of all of these movements, which one check reads again.
  await site.superuser.rows(sql`select ledger.rebuild_account_days(clock_timestamp())`);
  // The same role and limits as on the site.
  const database = openDatabase({ url: site.urls.appUrl, connectionsMax: 2 });
  try {
    const whole = async () => {
      const startedAtMs = performance.now();
      const { checks, differences } = await auditSite({ database, log }, siteChecks, {
        connections: 2,
      });
      const notMade = checks.filter(({ notChecked }) => notChecked !== null);
      if (differences.length > 0 || notMade.length > 0)
        throw new Error(`The books differ: ${JSON.stringify([differences[0], notMade[0]])}`);
      return (performance.now() - startedAtMs) / 1_000;
    };
    const audits = await interleave({ audit: whole }, { unit: 's', log: options.log });
    const seconds = options.isFull ? 60 : 15;
    const credits = () =>
      pgbench({ url: site.urls.appUrl, script: creditScript(MEMBERS), clients: CLIENTS, seconds });
    const beside = async () => {
      const ended = new AbortController();
      const { signal } = ended;
      let failure: unknown;
      const auditing = auditSite({ database, log }, siteChecks, {
        share: shareOf.night,
        signal,
      }).catch((error) => {
        // The end of the measurement ends the audit. One that failed before would make credits look fast.
        if (!signal.aborted) failure = error;
      });
      try {
        const rate = await credits();
        if (failure !== undefined) throw failure;
        return rate;
      } finally {
        ended.abort();
        await auditing;
      }
    };
    const rates = await interleave({ alone: credits, beside }, { unit: '/s', log: options.log });
    const bounds = { target: { max: 90 }, aim: { max: 45 } };
    return {
      figures: [
        plainFigure(
          {
            id: 'B20',
            title: `Audit of all books, ${rows.toLocaleString('en')} movements`,
            ...(options.isFull ? bounds : {}),
          },
          audits.audit,
        ),
        ratioFigure(
          {
            id: 'B20',
            title: `Credits beside an audit ÷ alone, ${rows.toLocaleString('en')} movements`,
            target: { min: 0.9 },
            aim: { min: 0.95 },
          },
          rates.beside,
          rates.alone,
        ),
      ],
      series: [audits.audit, rates.alone, rates.beside],
      notes: ['Every audit found the books without a difference'],
    };
  } finally {
    await database.close();
  }
}

export const auditBench: Bench = {
  name: 'b20',
  ids: ['B20'],
  run: (options) => withSite((site) => measure(site, options)),
};
