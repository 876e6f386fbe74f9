import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Endpoint } from '#contract/endpoint.ts';
import { readHealth } from '#contract/health.ts';
import { refusals } from '#contract/refusals.ts';
import { createHealth } from '#platform/health.ts';
import { handle } from '#platform/http/handle.ts';
import { prepareJobs } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { createApp } from '../server/app.ts';
import { type Caller, callersOf, type Declared, GATE_KEY, operatorOf } from './callers.ts';
import { callWith, foreignIdCases, idInputsOf, inputName, ofNobody } from './foreign-ids.ts';
import { type Answer, silentLog, testSite, withoutSockets } from './site.ts';
import { storedState } from './stored-state.ts';
import { validBodies } from './valid-bodies.ts';
import { wellFormedPath } from './well-formed-path.ts';

/**
 * Calls every route as every kind of caller: each gets the decision that the route declares. The cases are generated,
 * so a new route or a new kind of suspension is covered without a line here.
 */
const site = withoutSockets(await testSite({ after }, { LIMIT_FACTOR: '100000', ADMIN_GATE_KEY: GATE_KEY }));
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
await site.sandbox.prepare(site.platform);
const callers = await callersOf(site);
/** They have nothing of their own. */
const [stranger, operator] = [await site.member(), await operatorOf(site)];
const { endpoints, routes } = site.platform;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Refusals by which a route keeps somebody out. Nobody who is admitted gets one. */
const ofAccess: readonly string[] = [
  'unauthenticated',
  'account-suspended',
  'earnings-suspended',
  'withdrawals-suspended',
];

const needsSession = ({ access }: Declared) => access === 'member' || access === 'operator';

/** The code of the refusal that the route declares for the caller; undefined if it admits. */
const refusalAt = (declared: Declared, caller: Caller) =>
  needsSession(declared) ? caller.refusalOf(declared) : undefined;

/** These end the session with which they are called, so somebody new makes the call. */
const endings = ['POST /api/auth/logout', 'POST /api/user/not-me'];

/** The specification has this operators' call at the members' address. */
const ofOperatorsElsewhere = ['DELETE /api/chat/messages/:id'];

// What other tests expect follows from the declaration, so a wrong one would pass them.
it('declares the calls below the operators’ address, and no others, as operators’', () => {
  const wrong = endpoints
    .filter(({ path, access }) => path.startsWith('/api/admin/') !== (access === 'operator'))
    .map(nameOf);
  assert.deepEqual(wrong, ofOperatorsElsewhere);
});

function callEndpoint(endpoint: Endpoint, { as }: Caller): Promise<Answer> {
  const { method } = endpoint;
  const body = method === 'GET' ? undefined : (validBodies[nameOf(endpoint)] ?? {});
  return site.call(method, wellFormedPath(endpoint), {
    ...(as === undefined ? {} : { as }),
    ...(body === undefined ? {} : { body }),
  });
}

function assertRefused(answer: Answer, code: keyof typeof refusals, what: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [refusals[code].status, code], what);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, what);
}

/** An admitted caller gets the success of the contract, or a refusal that it declares. */
function assertAdmitted(endpoint: Endpoint, answer: Answer, what: string): void {
  const { status, problem, body } = answer;
  const answered = `${what}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`;
  if (status === endpoint.status) return;
  assert.ok(!ofAccess.includes(problem.code), answered);
  const isLimited = endpoint.access === 'public' && problem.code === 'rate-limited';
  assert.ok(isLimited || endpoint.refusals.includes(problem.code), answered);
}

/** All that a caller sees of an answer. */
const seenOf = ({ status, headers, body }: Answer) => {
  const { date: _, ...rest } = Object.fromEntries(headers);
  return { status, body, headers: rest };
};

/** The valid body of this call is for the general channel, which is closed to suspended members. */
const OF_GENERAL = 'POST /api/chat/messages';
const declarationOf = (endpoint: Endpoint): Declared =>
  nameOf(endpoint) === OF_GENERAL ? { access: endpoint.access, refusals: endpoint.refusals } : endpoint;

/** The caller gets the decision that the endpoint declares. */
async function assertDecides(endpoint: Endpoint, caller: Caller): Promise<void> {
  const answer = await callEndpoint(endpoint, caller);
  const code = refusalAt(declarationOf(endpoint), caller);
  const what = `${nameOf(endpoint)} by ${caller.name}`;
  if (code === undefined) assertAdmitted(endpoint, answer, what);
  else assertRefused(answer, code, what);
}

describe('every endpoint that reads decides as it declares', () => {
  const reads = endpoints.filter(({ method, access }) => method === 'GET' && access !== 'webhook');
  // A rate that has become too old meanwhile is fetched for whoever needs it.
  const state = () => storedState(site.owner, ['withdrawals.rates', 'withdrawals.rate_history']);
  let before: string[] = [];
  it('is called on a site whose state is known', async () => {
    assert.ok(reads.length > 50);
    before = await state();
  });
  for (const endpoint of reads)
    it(nameOf(endpoint), async () => {
      await Promise.all(callers.map((caller) => assertDecides(endpoint, caller)));
    });
  it('§2-6 operators and others: changes nothing, whoever makes it', async () =>
    assert.deepEqual(await state(), before));
});

describe('every other endpoint decides as it declares', () => {
  const others = endpoints.filter(({ method, access }) => method !== 'GET' || access === 'webhook');
  for (const endpoint of others)
    it(nameOf(endpoint), async () => {
      const isEnding = endings.includes(nameOf(endpoint));
      for (const caller of isEnding ? await callersOf(site) : callers) await assertDecides(endpoint, caller);
    });
});

describe('every other route decides as it declares', () => {
  const ofEndpoints = new Set(endpoints.map(nameOf));
  const others = routes.filter(({ method, url }) => !ofEndpoints.has(nameOf({ method, path: url })));
  /** Pages and files are the same for all, and a HEAD is bound with its GET, so some of the callers are enough. */
  const some = callers.filter(({ name }) =>
    [
      ...['a visitor', 'a member', 'a member under permanent full_suspension'],
      ...['an operator', 'an operator before the gate'],
    ].includes(name),
  );
  it('has pages, files, HEAD, the socket and webhooks among them', () => {
    assert.equal(some.length, 5);
    const urls = new Set(others.map(({ url }) => url));
    for (const url of [
      '/',
      '/healthz',
      '/ws',
      '/api/user',
      '/api/webhooks/postback/:provider/:token',
      '/assets/*',
      '/brand/:name',
    ])
      assert.ok(urls.has(url), url);
  });
  it('§1-6 members: refuses nobody but visitors and the suspended, where it needs a session', async () => {
    for (const route of others) {
      // A HEAD decides like the GET of its endpoint.
      const endpoint = endpoints.find(({ path }) => path === route.url);
      const path = endpoint === undefined ? route.url.replaceAll(/:\w+|\*/g, 'x') : wellFormedPath(endpoint);
      const declared = { refusals: endpoint?.refusals ?? [], ...route };
      const isOfAll = needsSession(declared) && route.method !== 'HEAD';
      for (const caller of isOfAll ? callers : some) {
        const { as } = caller;
        const { status } = await site.call(route.method, path, as === undefined ? {} : { as });
        const code = refusalAt(declared, caller);
        const what = `${route.method} ${path} by ${caller.name}: ${status}`;
        if (code === undefined) assert.ok(![401, 403].includes(status) && status < 500, what);
        else assert.equal(status, refusals[code].status, what);
      }
    }
  });
});

describe('somebody else’s id', () => {
  const cases = foreignIdCases(site, operator);
  const inputs = endpoints.filter(({ access }) => access === 'member').flatMap(idInputsOf);
  it('is tried at every input that names one', () => {
    const names = [...Object.keys(cases), ...ofNobody];
    assert.deepEqual(names.sort(), inputs.map(inputName).sort());
  });
  for (const input of inputs) {
    const tried = cases[inputName(input)];
    if (tried !== undefined)
      it(`is answered like an unknown one, and has no effect: ${inputName(input)}`, async () => {
        const owner = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
        const theirs = await tried.make(owner);
        const before = await storedState(site.owner);
        for (const as of tried.isOperators ? [stranger] : [stranger, operator]) {
          const foreign = await callWith(site, input, theirs, as);
          const unknown = await callWith(site, input, tried.unknown, as);
          assert.equal(foreign.status, tried.status, JSON.stringify(foreign.body));
          assert.deepEqual(seenOf(foreign), seenOf(unknown));
        }
        assert.deepEqual(await storedState(site.owner), before);
        const own = await callWith(site, input, theirs, owner);
        assert.equal(own.status, input.endpoint.status, 'the owner may');
        if (tried.status === 404)
          assert.notDeepEqual(own.body, (await callWith(site, input, theirs, stranger)).body);
      });
  }
});

describe('a start', () => {
  const started = (bind: (platform: Platform) => void) =>
    createApp({
      config: site.config,
      database: site.database,
      log: silentLog(),
      health: createHealth(silentLog()),
      mountSandbox: (platform) => {
        after(() => platform.app.close());
        bind(platform);
      },
    });
  it('is refused if a route does not declare who may call it', async () => {
    const bind = ({ app }: Platform) => void app.get('/loose', async () => 'everything');
    await assert.rejects(started(bind), {
      message: 'Who may call these routes is not declared: GET /loose, HEAD /loose',
    });
  });
  it('is refused if an endpoint of the contract does not', async () => {
    const { access: _, ...undeclared } = { ...readHealth, path: '/api/loose' };
    await assert.rejects(
      started((platform) =>
        handle(platform, undeclared as typeof readHealth, async () => ({ troubles: [], stops: [] })),
      ),
      { message: 'Who may call these routes is not declared: GET /api/loose, HEAD /api/loose' },
    );
  });
});
