import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { requestFields } from './log.ts';

describe('a request in the log', () => {
  const pathOf = (url: string) => requestFields({ method: 'GET', url, id: '1' }).path;
  it('shows its path without the query', () => {
    assert.equal(pathOf('/api/user/history?page=2'), '/api/user/history');
    assert.equal(pathOf('/api/webhooks/postback/cpx?secure_hash=1'), '/api/webhooks/postback/cpx');
  });
  it('hides the secret end of a postback URL', () => {
    for (const url of [
      '/api/webhooks/postback/cpx/abcdefghijklmnop?x=1',
      '/api/webhooks/chargeback/cpx/abcdefghijklmnop',
      'http://localhost:3000/api/webhooks/postback/cpx/abcdefghijklmnop',
      '/api/webhooks/postback/cpx/abcdefghijklmnop/more',
    ])
      assert.doesNotMatch(String(pathOf(url)), /abcdefghijklmnop/, url);
  });
});

/** Logs without end and answers each line of its input, then ends when its input ends. */
const program = `
  import { createInterface } from 'node:readline';
  import { createLog, lostLinesOf } from ${JSON.stringify(fileURLToPath(new URL('./log.ts', import.meta.url)))};
  const log = createLog('info');
  const fill = () => { for (let line = 0; line < 3_000; line += 1) log.info({ pad: 'x'.repeat(500) }, 'a line'); };
  createInterface({ input: process.stdin })
    .on('line', (asked) => { if (asked === 'fill') fill(); console.log(asked + ' ' + lostLinesOf(log)); })
    .on('close', () => process.exit(7));
`;

/** Starts the program with its standard error at a pipe or a socket. Nobody reads it. */
function startLogging(target: 'pipe' | 'socket') {
  const run = [process.execPath, '--input-type=module', '-e', program] as const;
  // Node gives a child a socket. A shell gives a pipe.
  const [command, ...given] =
    target === 'socket' ? run : (['bash', '-c', '"$@" 2> >(exec sleep 4)', 'bash', ...run] as const);
  const child = spawn(command, given, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8');
  const ask = async (line: string): Promise<number> => {
    child.stdin.write(`${line}\n`);
    const [answer] = (await once(child.stdout, 'data')) as [string];
    return Number(answer.trim().split(' ').at(-1));
  };
  return { child, ask };
}

describe('a log that nobody reads', () => {
  for (const target of ['pipe', 'socket'] as const)
    it(`delays neither an answer nor the end of the process: ${target}`, async () => {
      const { child, ask } = startLogging(target);
      for (let round = 0; round < 3; round += 1) await ask('fill');
      assert.ok((await ask('lost')) > 0, 'lines beyond the bound are dropped and counted');
      const startedAtMs = performance.now();
      child.stdin.end();
      const [code] = await once(child, 'exit');
      assert.equal(code, 7);
      assert.ok(performance.now() - startedAtMs < 5_000);
    });

  it('says how many lines were lost when it is read again', async () => {
    const { child, ask } = startLogging('socket');
    for (let round = 0; round < 3; round += 1) await ask('fill');
    const lost = await ask('lost');
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    while (!text.includes('log lines were lost')) await once(child.stderr, 'data');
    const line = text.split('\n').find((one) => one.includes('log lines were lost')) ?? '';
    assert.equal(JSON.parse(line).lostCount, lost);
    child.stdin.end();
    await once(child, 'exit');
  });
});
