import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fill, NO_SMALL_DISK, smallDisk } from '../../test/small-disk.ts';
import { requestFields } from './log.ts';

describe('a request in the log', () => {
  const pathOf = (url: string) => requestFields({ method: 'GET', url, id: '1' }).path;
  it('shows its path without the query', () => {
    assert.equal(pathOf('/api/user/history?page=2'), '/api/user/history');
    assert.equal(pathOf('/api/webhooks/postback/cpx?secure_hash=1'), '/api/webhooks/postback/cpx');
  });
  it('hides the token of an unsubscribe link', () => {
    assert.equal(pathOf('/api/unsubscribe/123456789-abcdef?x=1'), '/api/unsubscribe/***');
    assert.equal(pathOf('/api/unsubscribe/123456789-abcdef/undo'), '/api/unsubscribe/***/undo');
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

const logModule = JSON.stringify(fileURLToPath(new URL('./log.ts', import.meta.url)));
const silenceModule = JSON.stringify(fileURLToPath(new URL('./database-silence.ts', import.meta.url)));
const imported = `import { createLog, lostLinesOf } from ${logModule};`;
/** Logs without end and answers each line of its input, then ends when its input ends. */
const program = `
  import { createInterface } from 'node:readline';
  ${imported}
  const log = createLog('info');
  const fill = () => { for (let line = 0; line < 3_000; line += 1) log.info({ pad: 'x'.repeat(500) }, 'a line'); };
  createInterface({ input: process.stdin })
    .on('line', (asked) => { if (asked === 'fill') fill(); console.log(asked + ' ' + lostLinesOf(log)); })
    .on('close', () => process.exit(7));
`;

describe('every line of the log', () => {
  it('names the node, also of a part of the log with its own fields; none is of a silent database', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `${imported} import { DatabaseSilence } from ${silenceModule};
         const log = createLog('info');
         log.info('one'); log.child({ part: 'mail' }).warn({ node: undefined, at: 1 }, 'two');
         log.error({ error: new Error('no') }, 'three');
         log.error({ error: new DatabaseSilence() }, 'health has said it');`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(child, 'close');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ msg, node }) => [msg, node]),
      ['one', 'two', 'three'].map((message) => [message, `${hostname()} ${child.pid}`]),
    );
  });
});

/** Starts the program with its standard error at a pipe or a socket. Nobody reads it, and `close` ends who could. */
function startLogging(target: 'pipe' | 'socket') {
  const run = [process.execPath, '--input-type=module', '-e', program] as const;
  // Node gives a child a socket. A shell gives a pipe.
  const [command, ...given] =
    target === 'socket'
      ? run
      : (['bash', '-c', '"$@" 2> >(echo $BASHPID; exec sleep 4)', 'bash', ...run] as const);
  const child = spawn(command, given, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8');
  const reader = target === 'pipe' ? once(child.stdout, 'data') : undefined;
  const close = async () => {
    child.stderr.destroy();
    if (reader !== undefined) process.kill(Number(await reader), 'SIGKILL');
  };
  const ask = async (line: string): Promise<number> => {
    await reader;
    child.stdin.write(`${line}\n`);
    const [answer] = (await once(child.stdout, 'data')) as [string];
    return Number(answer.trim().split(' ').at(-1));
  };
  return { child, ask, close };
}

/** Logs a line, prints one, and so on. */
const printing = `
  import { createLog, printedBeside } from ${logModule};
  const log = createLog('info');
  const { say } = printedBeside(log);
  for (let line = 0; line < 20; line += 1) {
    log.info({ line, pad: 'x'.repeat(100) }, 'a line of the log');
    await new Promise((done) => setTimeout(done, 5));
    say('printed ' + line);
  }
`;

describe('a log in the file that standard output writes to', () => {
  for (const redirection of ['> "$file" 2>&1', '> "$file" 2> "$file"'])
    it(`keeps every line of both whole: ${redirection}`, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'log-'));
      try {
        const file = join(directory, 'site.log');
        const run = [process.execPath, '--input-type=module', '-e', printing];
        const child = spawn('bash', ['-c', `file=$1; shift; exec "$@" ${redirection}`, 'bash', file, ...run]);
        const [code] = await once(child, 'exit');
        assert.equal(code, 0);
        const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
        const printed = lines.filter((line) => line.startsWith('printed '));
        const logged = lines.filter((line) => !line.startsWith('printed '));
        const expected = Array.from({ length: 20 }, (_, line) => line);
        assert.deepEqual(
          printed,
          expected.map((line) => `printed ${line}`),
        );
        assert.deepEqual(
          logged.map((line) => JSON.parse(line).line),
          expected,
        );
      } finally {
        await rm(directory, { recursive: true });
      }
    });
});

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

  for (const target of ['pipe', 'socket'] as const)
    it(`ends the process also when its reader ended before it: ${target}`, async () => {
      const { child, ask, close } = startLogging(target);
      await ask('fill');
      await close();
      child.stdin.end();
      const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
      const [code] = await once(child, 'exit');
      clearTimeout(limit);
      assert.equal(code, 7);
    });

  /** Starts the program with its standard error in a file. Returns how many lines it has lost after each order. */
  function startLoggingTo(file: string) {
    const run = [process.execPath, '--input-type=module', '-e', program];
    const child = spawn('bash', ['-c', 'file=$1; shift; exec "$@" 2> "$file"', 'bash', file, ...run]);
    child.stdout.setEncoding('utf8');
    const ask = async (asked: string): Promise<number> => {
      child.stdin.write(`${asked}\n`);
      const [answer] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      assert.match(String(answer), new RegExp(`^${asked} `));
      return Number(String(answer).trim().split(' ').at(-1));
    };
    return { child, ask };
  }

  it('goes on while its disk is full, and ends', { skip: !existsSync('/dev/full') }, async () => {
    const { child, ask } = startLoggingTo('/dev/full');
    await ask('fill');
    await ask('fill');
    assert.ok((await ask('lost')) > 0);
    child.stdin.end();
    const [code] = await once(child, 'exit');
    assert.equal(code, 7);
  });

  it('goes on after standard output took no line, and logs it', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    const run = [process.execPath, '--input-type=module', '-e', printing];
    const child = spawn('bash', ['-c', 'exec "$@" > /dev/full', 'bash', ...run]);
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, text);
    assert.match(text, /"code":"ENOSPC".*"standard output did not take a line"/);
    assert.match(text, /"line":19,/);
  });

  it('says how many lines were lost when its disk has space again, without another line', async (t) => {
    const disk = smallDisk(t, '4m');
    if (disk === undefined) return t.skip(NO_SMALL_DISK);
    const [file, ballast] = [join(disk, 'site.log'), join(disk, 'ballast')];
    fill(ballast);
    const { child, ask } = startLoggingTo(file);
    for (let round = 0; round < 3; round += 1) await ask('fill');
    const lost = await ask('lost');
    assert.ok(lost > 0);
    await rm(ballast);
    const startedAtMs = performance.now();
    let text = '';
    while (!text.endsWith('"log lines were lost"}\n')) {
      assert.ok(performance.now() - startedAtMs < 10_000, text.slice(-300));
      await sleep(50);
      text = await readFile(file, 'utf8');
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.at(-1).lostCount, lost);
    assert.equal(lines.length - 1 + lost, 9_000, 'each line is written once, or counted');
    child.stdin.end();
    await once(child, 'exit');
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
