import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { sendCsv } from './csv-reply.ts';

describe('a streamed export', () => {
  it('gives other calls their turn between its rows', async () => {
    const app = Fastify();
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    async function* piece() {
      yield rows;
    }
    app.get('/list', (_request, reply) =>
      sendCsv(reply, { path: '/list', list: { rows: null, columns: ['id'] } }, piece()),
    );
    await app.ready();
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    const { body } = await app.inject('/list');
    isDone = true;
    assert.equal(body.trimEnd().split('\r\n').length, 1 + rows.length);
    assert.ok(turns >= 50, `${turns} turns`);
  });
});
