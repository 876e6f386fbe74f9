/**
 * The metrics of the program: their labels, what they tell, and when to alert. `npm run documents` writes them to
 * `docs/operating.md`.
 */
type Metric = { labels?: readonly string[]; tells: string; alert: string };

const metrics = {
  earnest_degraded: {
    labels: ['name'],
    tells:
      '1 while a part is not well; `/readyz` has the same names under `degraded`, the log has the reason',
    alert:
      '1 for 5 minutes; `database-writes`, `restore`, `audit-trail` and `rate-…` at once; not `audit`, which is 1 ' +
      'also while a part was left out',
  },
  earnest_stopped: {
    labels: ['name'],
    tells:
      '1 while an operator stopped a part by choice (`payouts-paused`); `/readyz` has the same names under `stops`',
    alert: '1 for longer than the stop was meant to last',
  },
  earnest_metric_unread: {
    labels: ['name'],
    tells: '1 for a metric that could not be read',
    alert: '1 for 5 minutes',
  },
  earnest_withdrawal_pending_age_seconds: {
    tells: 'age of the oldest request without a decision; 0 for none',
    alert: 'longer than the promised processing time',
  },
  earnest_payouts: {
    labels: ['method', 'state'],
    tells: 'unfinished payouts, at most 10,000 of each method',
    alert: 'any `parked`',
  },
  earnest_payout_age_seconds: {
    labels: ['method', 'state'],
    tells: 'age of the oldest unfinished payout',
    alert: '`queued` or `signed` older than 10 minutes; `broadcast` older than 6 hours',
  },
  earnest_rail_balance: {
    labels: ['method'],
    tells: 'balance to pay from at the last look, in the currency of the method',
    alert: 'less than a usual day of payouts',
  },
  earnest_rate_age_seconds: {
    labels: ['currency'],
    tells: 'age of the believed rate, by the time of its sources',
    alert: 'older than `RATE_MAX_AGE_S`',
  },
  earnest_rate_usd: {
    labels: ['currency'],
    tells: 'believed US dollars for one unit of the currency',
    alert: '',
  },
  earnest_lease_held: {
    labels: ['name'],
    tells: '1 while a node holds the lease; 0 is normal while nothing is due',
    alert: '`only-node` 0 for 1 minute (without Redis); `redis-nodes` 0 for 1 minute (with it)',
  },
  earnest_sweep_age_seconds: {
    labels: ['name'],
    tells: 'time since the last good turn of a sweep on this node; intervals below',
    alert: '`payouts` 1 minute; others twice their interval, at least 1 hour',
  },
  earnest_jobs: {
    labels: ['state'],
    tells:
      'mails with links and other jobs, at most 10,000 of each state: `waiting`, `retrying` after a failure, ' +
      '`failed` for good',
    alert: '`failed` grows; `retrying` above 0 for 10 minutes',
  },
  earnest_job_age_seconds: {
    tells: 'age of the oldest job that is not finished',
    alert: 'above 10 minutes for 10 minutes',
  },
  earnest_data_dir_free_bytes: {
    tells: 'free space of the disk of `DATA_DIR`, on each node',
    alert: "less than 1 GB, or than a day's growth",
  },
  earnest_database_connections: {
    labels: ['state'],
    tells: 'connections used and unused, and calls that wait for one',
    alert: 'calls wait for 1 minute',
  },
  earnest_sockets: { tells: 'open WebSockets', alert: '' },
  earnest_socket_faults_total: {
    labels: ['fault'],
    tells: 'WebSockets that ended by a fault of the client',
    alert: '',
  },
  earnest_audit_findings: {
    tells: 'differences that the last audit of the books found',
    alert: 'above 0, at once',
  },
  earnest_audit_age_seconds: {
    tells: 'time since the last audit of the books ended',
    alert: 'older than 2 days',
  },
  earnest_postbacks_total: {
    labels: ['provider', 'verdict'],
    tells: 'calls of providers',
    alert: '`invalid-signature` of a provider grows; no `credited` for a day',
  },
  earnest_refusals_total: {
    labels: ['route', 'code'],
    tells: 'refused calls: wrong passwords, wrong keys, used up limits',
    alert: '`invalid-credentials` or `wrong-key` at ten times the usual rate',
  },
  earnest_http_request_seconds: {
    labels: ['method', 'route', 'status'],
    tells: 'duration of answers',
    alert: '5xx; p99 over 0.5 s',
  },
  earnest_log_lost_lines: { tells: 'log lines since the start that nobody read in time', alert: 'grows' },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** All metrics, each with its labels as they are written in a query. */
export const listedMetrics = (Object.entries(metrics) as [MetricName, Metric][]).map(
  ([name, { labels = [], tells, alert }]) => ({ name, labels, tells, alert }),
);

/** How the library is told of a metric. */
export function metricOf(name: MetricName): { name: MetricName; help: string; labelNames: string[] } {
  const { labels = [], tells }: Metric = metrics[name];
  return { name, help: tells, labelNames: [...labels] };
}
