import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createHealth } from './health.ts';
import { createMetrics, observeHealth } from './metrics.ts';

function logOf(lines: string[]) {
  return pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
}

it('keeps a trouble with the time of its first report until the part is well again', async () => {
  const lines: string[] = [];
  const health = createHealth(logOf(lines));
  health.report('redis', undefined);
  health.report('rail-of-a-coin', 'The node is not reachable.');
  const [first] = health.troubles();
  assert.equal(first?.trouble, 'The node is not reachable.');
  await sleep(5);
  health.report('sweep-payouts', 'The sweep failed.');
  health.report('rail-of-a-coin', 'The wallet is locked.');
  assert.deepEqual(
    health.troubles().map(({ name, trouble, since }) => [name, trouble, since === first.since]),
    [
      ['rail-of-a-coin', 'The wallet is locked.', true],
      ['sweep-payouts', 'The sweep failed.', false],
    ],
  );
  health.report('rail-of-a-coin', undefined);
  assert.deepEqual(
    health.troubles().map(({ name }) => name),
    ['sweep-payouts'],
  );
  assert.deepEqual(health.names(), ['redis', 'rail-of-a-coin', 'sweep-payouts']);
});

it('logs the beginning and the end of a trouble, not its repetitions', () => {
  const lines: string[] = [];
  const health = createHealth(logOf(lines));
  health.report('redis', undefined);
  for (let count = 0; count < 3; count += 1) health.report('redis', 'It does not answer.');
  health.report('redis', undefined);
  health.report('redis', undefined);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['a part is not well', 'a part is well again'],
  );
});

it('names a silent database alone, and what still fails once it answers', () => {
  const lines: string[] = [];
  const health = createHealth(logOf(lines));
  const troubles = () => health.troubles().map(({ name }) => name);
  health.report('rail-litecoin', 'The node is not reachable.');
  assert.equal(health.report('sweep-nodes', 'It failed by a lost connection.'), true);
  health.report('payouts-paused', 'Payouts are paused.', { isByChoice: true });
  health.report('database', 'It does not answer.');
  assert.deepEqual(
    health.stops().map(({ name }) => name),
    ['payouts-paused'],
    'an operator stopped them, not the silence',
  );
  const parts = ['jobs', 'sweep-rates', 'lease-only-node', 'payouts-dash', 'database-writes'] as const;
  for (const name of parts) assert.equal(health.report(name, 'It failed.'), false);
  assert.deepEqual(troubles(), ['rail-litecoin', 'database']);
  health.report('redis', 'It does not answer either.');
  assert.deepEqual(troubles(), ['rail-litecoin', 'database', 'redis']);
  health.report('database', undefined);
  for (const name of parts) health.report(name, name === 'jobs' ? 'It fails still.' : undefined);
  assert.deepEqual(troubles(), ['rail-litecoin', 'redis', 'jobs']);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ part, level }) => `${part} ${level}`),
    [
      'rail-litecoin 50',
      'sweep-nodes 50',
      'payouts-paused 40',
      'database 50',
      'sweep-nodes 30',
      'redis 50',
      'database 30',
      'jobs 50',
    ],
  );
});

it('keeps naming a part that failed long before the database fell silent', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const health = createHealth(logOf([]));
  health.report('sweep-rates', 'It is stuck.');
  t.mock.timers.tick(10_000);
  health.report('database', 'It does not answer.');
  assert.deepEqual(
    health.troubles().map(({ name }) => name),
    ['sweep-rates', 'database'],
  );
});

it('logs no error for what an operator stopped', () => {
  const lines: string[] = [];
  const health = createHealth(logOf(lines));
  health.report('payouts-paused', 'Payouts are paused.', { isByChoice: true });
  health.report('payouts-paused', undefined);
  const { warn, info } = pino.levels.values;
  assert.deepEqual(
    lines.map((line) => [JSON.parse(line).level, JSON.parse(line).msg]),
    [
      [warn, 'an operator stopped a part'],
      [info, 'a part is well again'],
    ],
  );
});

it('shows every part in the metric, 1 while it is not well', async () => {
  const metrics = createMetrics();
  const health = createHealth(logOf([]));
  observeHealth(health, metrics);
  health.report('redis', 'It does not answer.');
  health.report('sweep-payouts', undefined);
  const text = await metrics.registry.metrics();
  assert.match(text, /^earnest_degraded\{name="redis"\} 1$/m);
  assert.match(text, /^earnest_degraded\{name="sweep-payouts"\} 0$/m);
});

it('shows what an operator stopped in a metric of its own, and not among what is not well', async () => {
  const metrics = createMetrics();
  const health = createHealth(logOf([]));
  observeHealth(health, metrics);
  health.report('redis', 'It does not answer.');
  health.report('payouts-paused', 'Payouts are paused.', { isByChoice: true });
  assert.deepEqual([health.troubles().length, health.stops().length], [1, 1]);
  const text = await metrics.registry.metrics();
  assert.doesNotMatch(text, /^earnest_degraded\{name="payouts-paused"\}/m);
  assert.doesNotMatch(text, /^earnest_stopped\{name="redis"\}/m);
  assert.match(text, /^earnest_stopped\{name="payouts-paused"\} 1$/m);
  health.report('payouts-paused', undefined, { isByChoice: true });
  assert.match(await metrics.registry.metrics(), /^earnest_stopped\{name="payouts-paused"\} 0$/m);
});
