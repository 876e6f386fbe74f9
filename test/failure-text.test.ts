import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { failureText } from './failure-text.ts';

/** A test of a call to a port at which nobody listens. */
const refusedCall = `
  import { once } from 'node:events';
  import { createServer } from 'node:net';
  import { test } from 'node:test';
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  test('refused', () => fetch('http://127.0.0.1:' + port));`;

describe('the line of a failed test', () => {
  it('says why a call failed in the process of a test file', (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'failure-text-'));
    t.after(() => rmSync(directory, { recursive: true }));
    const [file, runner] = [join(directory, 'refused.mjs'), join(directory, 'runner.mjs')];
    writeFileSync(file, refusedCall);
    writeFileSync(
      runner,
      `import { run } from 'node:test';
      import { failureText } from ${JSON.stringify(join(import.meta.dirname, 'failure-text.ts'))};
      run({ files: [${JSON.stringify(file)}] })
        .on('test:fail', ({ name, details }) => console.log(failureText(name, details.error.cause)))
        .resume();`,
    );
    const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
    const { stdout, stderr } = spawnSync(process.execPath, [runner], { env, encoding: 'utf8' });
    assert.match(
      stdout,
      /^refused: TypeError: fetch failed; cause: Error: connect ECONNREFUSED 127\.0\.0\.1:\d+$/m,
      stderr,
    );
  });

  it('names the code where the message lacks it, and the errors of several addresses', () => {
    const refused = (host: string) => Object.assign(new Error(`connect ${host}`), { code: 'ECONNREFUSED' });
    const both = new AggregateError([refused('::1'), refused('127.0.0.1')]);
    assert.equal(
      failureText('title', new TypeError('fetch failed', { cause: both })),
      'title: TypeError: fetch failed; cause: AggregateError: Error: connect ::1 (ECONNREFUSED), ' +
        'Error: connect 127.0.0.1 (ECONNREFUSED)',
    );
  });

  it('is one line without colours, also of what is no error', () => {
    assert.equal(failureText('title', '\u001b[31mone\n  two\u001b[39m'), 'title: one two');
    assert.equal(
      failureText('title', new Error('outer', { cause: 'inner' })),
      'title: Error: outer; cause: inner',
    );
  });
});
