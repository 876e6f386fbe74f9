import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Person, testSite } from '../../test/site.ts';
import { changeProviderSettings } from '../earning/provider-settings.ts';

/** A member's own account, over HTTP. */
const site = await testSite({ after });

describe('the operators', () => {
  it('are named to operators, the earliest first, and to nobody else', async () => {
    const [first, second, member] = [
      await site.member({ role: 'admin' }),
      await site.member({ role: 'admin' }),
      await site.member(),
    ];
    const { status, body } = await site.call('GET', '/api/admin/operators', { as: second });
    assert.equal(status, 200);
    assert.deepEqual(
      body,
      [first, second].map(({ id, email }) => ({ id: String(id), firstName: 'Test', lastName: null, email })),
    );
    assert.equal((await site.call('GET', '/api/admin/operators', { as: member })).status, 403);
  });
});

describe('the chat theme', () => {
  const put = (as: Person, body: unknown) => site.call('PUT', '/api/user/chat-theme', { as, body });
  const theme = { chatTheme: 'custom', chatBubbleColor: '#00aaFF', chatTextColor: '#101010' };

  it('§1-7 member data: is stored, returned with the user, and effective at once', async () => {
    const person = await site.member();
    await site.call('GET', '/api/user', { as: person });
    const { status, body } = await put(person, theme);
    assert.equal(status, 200);
    assert.equal(body.id, String(person.id));
    const { chatTheme, chatBubbleColor, chatTextColor } = (
      await site.call('GET', '/api/user', { as: person })
    ).body;
    assert.deepEqual({ chatTheme, chatBubbleColor, chatTextColor }, theme);
  });
  it('§2-3 chat theme: accepts each of the twelve presets and no other name', async () => {
    const person = await site.member();
    const ids = 'default green purple pink orange red indigo teal yellow rose emerald slate custom'.split(
      ' ',
    );
    for (const chatTheme of ids) assert.equal((await put(person, { ...theme, chatTheme })).status, 200);
    assert.equal((await put(person, { ...theme, chatTheme: 'black' })).status, 400);
  });
  it('refuses an invalid or missing colour and unknown fields', async () => {
    const person = await site.member();
    for (const colour of ['#fff', 'red', '#12345G', '3B82F6', '#3B82F6;', '#3B82F600', 5])
      assert.equal((await put(person, { ...theme, chatBubbleColor: colour })).status, 400);
    assert.equal((await put(person, { chatTheme: 'green' })).status, 400);
    assert.equal((await put(person, { ...theme, role: 'admin' })).status, 400);
    assert.equal((await put(person, { ...theme, chatTheme: 'toString' })).status, 400);
  });
});

describe('calls about an account', () => {
  it('refuse visitors', async () => {
    for (const [method, path] of [
      ['GET', '/api/user/settings'],
      ['PUT', '/api/user/settings'],
      ['PUT', '/api/user/password'],
      ['GET', '/api/user/sessions'],
      ['DELETE', '/api/user/sessions'],
      ['DELETE', '/api/user/account'],
      ['GET', '/api/user/export'],
      ['PUT', '/api/user/chat-theme'],
    ] as const)
      assert.equal((await site.call(method, path)).problem.code, 'unauthenticated', path);
  });
});

describe('the public endpoint', () => {
  it('returns the site’s configuration', async () => {
    const { status, body } = await site.call('GET', '/api/config');
    assert.equal(status, 200);
    assert.deepEqual([body.mode, body.pointsPerUsd, body.siteTimezone], ['sandbox', 1000, 'Asia/Seoul']);
    assert.equal(body.processingTime, '1–3 business days');
  });
  it('names the providers to members only, disabled ones too', async () => {
    assert.deepEqual((await site.call('GET', '/api/config')).body.providers, []);
    for (const isEnabled of [true, false]) await changeProviderSettings(site.platform, 'cpx', { isEnabled });
    const { body } = await site.call('GET', '/api/config', { as: await site.member() });
    const named = body.providers.find(({ id }: { id: string }) => id === 'cpx');
    assert.deepEqual(named, { id: 'cpx', name: 'CPX Research', kind: 'survey' });
  });
  it('does not name providers that were never enabled', async () => {
    const member = await site.member();
    const readIds = async () => {
      const { body } = await site.call('GET', '/api/config', { as: member });
      return body.providers.map(({ id }: { id: string }) => id).sort();
    };
    assert.deepEqual(await readIds(), ['cpx']);
    await changeProviderSettings(site.platform, 'adgem', { apiKey: '1', isEnabled: false });
    assert.deepEqual(await readIds(), ['cpx']);
    await changeProviderSettings(site.platform, 'adgem', { isEnabled: true });
    await changeProviderSettings(site.platform, 'adgem', { isEnabled: false, name: 'Renamed' });
    assert.deepEqual(await readIds(), ['adgem', 'cpx']);
  });
});
