import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { changeProviderSettings } from '../earning/provider-settings.ts';
import { documentedOf } from '../earning/providers/vectors.ts';
import { prepareProviders } from './providers.ts';
import { freshTransaction } from './wall-calls.ts';
import { walls } from './wall-registry.ts';

/** The simulated walls on a real site: their buttons send real postbacks, which book points. */
const site = await testSite({ after });
await prepareProviders(site.platform, site.sandbox.wallOrigin);
const firstDocument = await site.call('GET', '/earn');
const origin = `http://127.0.0.1:${site.config.sandboxPort}`;

type Pressed = {
  transactionId: string;
  points: string;
  postback: string;
  answer: { status: number; body: string };
};

const press = async (
  wall: string,
  action: string,
  body: unknown,
): Promise<{ status: number; body: Pressed }> => {
  const response = await fetch(`${origin}/sandbox/wall/${wall}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Pressed };
};

const stats = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body;
const balance = async (as: Person): Promise<string> => (await stats(as)).balance;
const wallUrl = async (as: Person, id: string): Promise<string> => {
  const answer: Answer = await site.call('GET', '/api/offerwalls', { as });
  return answer.body.find((wall: { id: string }) => wall.id === id).url;
};
const page = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
};

for (const { id: wall, name, offers, hasScreenOuts } of walls.values())
  describe(name, () => {
    const success = documentedOf(wall).successBody;

    it('gives no transaction id twice, however many offers are completed at once', () => {
      const simulated = walls.get(wall);
      assert.ok(simulated);
      const ids = Array.from({ length: 5_000 }, () => freshTransaction(simulated));
      assert.equal(new Set(ids).size, ids.length);
    });

    it('credits a completed offer and reverses it', async () => {
      const member = await site.member();
      const userId = String(member.id);
      const done = await press(wall, 'complete', { userId });
      assert.deepEqual([done.status, done.body.answer], [200, { status: 200, body: success }]);
      assert.equal(await balance(member), done.body.points);

      const undone = await press(wall, 'reverse', { userId });
      assert.deepEqual(undone.body.answer, { status: 200, body: success });
      assert.equal(undone.body.transactionId, done.body.transactionId);
      assert.equal(await balance(member), '0');
      assert.equal((await press(wall, 'reverse', { userId })).status, 409);
    });

    it('makes a new transaction for each call, and repeats one only on request', async () => {
      const member = await site.member();
      const userId = String(member.id);
      const first = await press(wall, 'complete', { userId, points: 100 });
      const second = await press(wall, 'complete', { userId, points: 100 });
      assert.notEqual(first.body.transactionId, second.body.transactionId);
      const { transactionId } = second.body;
      const again = await press(wall, 'complete', { userId, points: 100, transactionId });
      assert.equal(again.body.answer.status, 200);
      assert.equal(await balance(member), '200');
    });

    it('uses the secret and the path token that operators set', async () => {
      const member = await site.member();
      const settings = { pathToken: 'a-token-nobody-knows' };
      await changeProviderSettings(site.platform, wall, { secret: `new-${wall}-secret`, settings });
      const done = await press(wall, 'complete', { userId: String(member.id), points: 77 });
      assert.ok(done.body.postback.startsWith(`/api/webhooks/postback/${wall}/a-token-nobody-knows?`));
      assert.equal(done.body.answer.status, 200);
      assert.equal(await balance(member), '77');
      await changeProviderSettings(site.platform, wall, { settings: { pathToken: null } });
      assert.equal((await press(wall, 'complete', { userId: String(member.id) })).body.answer.status, 200);
    });

    it('opens at the signed URL, and works by its buttons', async () => {
      const member = await site.member();
      const url = await wallUrl(member, wall);
      const shown = await page(url);
      assert.equal(shown.status, 200);
      for (const [name, isThere] of [
        ['Complete', true],
        ['Screen out', hasScreenOuts],
        ['Reverse', true],
      ] as const)
        assert.equal(shown.text.split(`>${name}</button>`).length - 1, isThere ? offers.length : 0, name);
      assert.match(
        shown.headers.get('content-security-policy') ?? '',
        new RegExp(`frame-ancestors ${site.origin} http://localhost:\\d+ http://127.0.0.1:\\d+$`),
      );

      const back = /name="back" value="([^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const form = { userId: String(member.id), offerId: offers[1]?.id ?? '', back };
      const pressed = await page(`${origin}/sandbox/wall/${wall}/complete`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      assert.equal(pressed.status, 200);
      assert.match(pressed.text, /role="status">Complete: .+ The site answered 200 “(1|OK)”/);
      assert.equal(await balance(member), String(offers[1]?.points));
    });
  });

describe('every wall', () => {
  it('may be framed by the first document after a start', () => {
    const policy = firstDocument.headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes(`frame-src ${site.sandbox.wallOrigin};`), policy);
  });

  it('pays a screen-out as its company does, without counting a task', async () => {
    const member = await site.member();
    let expected = 0n;
    for (const { id, hasScreenOuts, offers } of walls.values()) {
      const out = await press(id, 'screen-out', { userId: String(member.id) });
      if (hasScreenOuts) assert.equal(out.body.answer.status, 200);
      else assert.equal(out.status, 404);
      if (hasScreenOuts) expected += offers[0]?.screenOutPoints ?? 0n;
    }
    const { balance, completedTasks } = await stats(member);
    assert.ok(expected >= 15n);
    assert.deepEqual([balance, completedTasks], [String(expected), 0]);
  });

  it('sends postbacks in the chosen form, and reverses in the form of the credit', async () => {
    for (const { id, forms } of walls.values())
      for (const { id: form } of forms) {
        const success = { status: 200, body: documentedOf(id).successBody };
        const member = await site.member();
        const userId = String(member.id);
        const done = await press(id, 'complete', { userId, form, points: 300 });
        assert.deepEqual(done.body.answer, success, `${id} ${form}`);
        assert.equal(await balance(member), '300');
        const undone = await press(id, 'reverse', { userId });
        assert.deepEqual(undone.body.answer, success, `${id} ${form}`);
        assert.equal(await balance(member), '0');
      }
  });

  it('switches between its forms by links, without script', async () => {
    for (const { id: wall, forms } of walls.values()) {
      if (forms.length === 0) continue;
      const member = await site.member();
      const url = await wallUrl(member, wall);
      const second = forms[1] ?? { id: '', name: '' };
      const link = new RegExp(`<a href="([^"]+form=${second.id})">${second.name}</a>`).exec(
        (await page(url)).text,
      );
      const switched = await page(`${origin}${link?.[1]?.replaceAll('&amp;', '&')}`);
      assert.match(switched.text, new RegExp(`aria-current="true">${second.name}</a>`));
      const hidden = (name: string) =>
        new RegExp(`name="${name}" value="([^"]+)"`).exec(switched.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const form = { userId: String(member.id), back: hidden('back'), form: hidden('form') };
      assert.equal(form.form, second.id);
      const pressed = await page(`${origin}/sandbox/wall/${wall}/complete`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      assert.ok(pressed.text.includes(`The site answered 200 “${documentedOf(wall).successBody}”`));
      assert.match(pressed.text, new RegExp(`aria-current="true">${second.name}</a>`));
    }
  });

  it('sends a reversal before its credit on request', async () => {
    const member = await site.member();
    const given = { userId: String(member.id), points: 300, transactionId: '900000000001' };
    assert.equal((await press('cpx', 'reverse', given)).body.answer.status, 200);
    assert.equal(await balance(member), '0');
    assert.equal((await press('cpx', 'complete', given)).body.answer.status, 200);
    assert.equal(await balance(member), '0');
    assert.equal((await site.call('GET', '/api/user/history', { as: member })).body.data.length, 2);
  });

  it('shows the site’s refusal', async () => {
    const member = await site.member();
    const url = await wallUrl(member, 'cpx');
    await changeProviderSettings(site.platform, 'cpx', { isEnabled: false });
    const { body } = await press('cpx', 'complete', { userId: String(member.id) });
    assert.equal(body.answer.status, 404);
    assert.match(
      (await page(`${url}&done=1`)).text,
      /answer bad" role="status">.+answered 404 There is no such/,
    );
    await changeProviderSettings(site.platform, 'cpx', { isEnabled: true });
  });

  it('refuses a wall URL with a wrong signature', async () => {
    const [member, other] = [await site.member(), await site.member()];
    const url = new URL(await wallUrl(member, 'cpx'));
    url.searchParams.set('ext_user_id', String(other.id));
    assert.equal((await page(url.href)).status, 403);
    for (const path of [
      'cpx',
      'cpx?ext_user_id=1',
      'bitlabs?uid=1',
      'bitlabs?token=x',
      'kiwiwall/x/%3Cb%3E',
      'adgem?appid=1',
    ])
      assert.equal((await page(`${origin}/sandbox/wall/${path}`)).status, 403, path);
    assert.equal((await page(`${origin}/sandbox/wall/nobody`)).status, 404);
  });

  it('refuses malformed commands and return URLs of other sites', async () => {
    const wrong = [
      {},
      { userId: 1 },
      { userId: '1', points: -1 },
      { userId: '1', offerId: 'x' },
      { userId: '1', x: 1 },
      { userId: '1', form: 'post' },
    ];
    for (const body of wrong) assert.equal((await press('cpx', 'complete', body)).status, 400);
    assert.equal((await press('cpx', 'steal', { userId: '1' })).status, 404);
    assert.equal((await press('nobody', 'complete', { userId: '1' })).status, 404);
    const away = await page(`${origin}/sandbox/wall/cpx/complete`, {
      method: 'POST',
      body: new URLSearchParams({ userId: '1', back: 'https://evil.example/' }),
    });
    assert.equal(away.status, 400);
  });

  it('escapes all values on its page', async () => {
    const text = (await page(`${origin}/sandbox/wall/kiwiwall/${encodeURIComponent('"><b>')}/123456789`))
      .text;
    assert.ok(!text.includes('"><b>'));
  });
});
