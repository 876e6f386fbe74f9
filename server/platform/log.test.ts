import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
