import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { lineAt, type Node, nodesOf } from './syntax.ts';

/**
 * No error is swallowed: who catches one handles it or tells it. A handler that does nothing, or only returns a fixed
 * value, is allowed in the files below.
 */
const exempt: Record<string, string> = {
  'contract/time-zone.ts': '`Intl` throws for a time zone that it does not know',
  'server/platform/http/attempts.ts': 'the caller of the earlier work sees its failure',
  'server/platform/database.ts': 'the pool replaces a connection that is lost while nobody uses it',
  'server/platform/database-sessions.ts': 'the next query on a lost connection tells it',
  'server/platform/database-probe.ts':
    'a lost connection fails its question, and the next one asks on another',
  'server/platform/database-watch.ts': 'the pool replaces a connection that is lost, and its call fails',
  'web/chat/use-presence.ts': 'a lost goodbye leaves the member online for another minute',
  'web/behaviour/behaviour.ts': 'a lost report of behaviour disturbs nobody',
  'server/access/cookies.ts': 'a changed cookie is no sign-in under way',
  'server/platform/realtime-frames.ts': 'a frame that is no JSON is refused by its schema',
  'server/sandbox/coin-chain.ts': 'the library throws for an invalid address, and for a script without one',
  'server/sandbox/coin-node.ts': 'a call that is no JSON is answered as a parse error',
  'server/wallets/connections.ts': 'the steps of the test say that a company did not answer',
  'server/withdrawals/jobs.ts': 'the caller that started the run sees its failure',
  'server/withdrawals/lossless-json.ts': 'the caller says what it means that a text is no JSON',
  'contract/destination-code.ts': 'the library tells an invalid address only by throwing',
};

/** Whether a value is the same for every error. */
function isFixed(node: Node | null): boolean {
  if (node === null) return true;
  if (node.type === 'Identifier') return node.name === 'undefined';
  if (node.type === 'ObjectExpression') return (node.properties as Node[]).length === 0;
  if (node.type === 'ArrayExpression') return (node.elements as Node[]).length === 0;
  if (/^(Unary|Parenthesized|TSAs|TSSatisfies)Expression$/.test(node.type))
    return isFixed((node.argument ?? node.expression) as Node);
  return (
    node.type === 'Literal' || (node.type === 'TemplateLiteral' && (node.expressions as []).length === 0)
  );
}

/** Whether a handler does nothing with the error, nor anything else that is seen. */
function isSilent(body: Node): boolean {
  if (body.type !== 'BlockStatement') return isFixed(body);
  return (body.body as Node[]).every(
    ({ type, argument, expression }) =>
      (type === 'ReturnStatement' && isFixed(argument as Node | null)) ||
      (type === 'ExpressionStatement' && isFixed(expression as Node)) ||
      /^(Break|Continue|Empty)Statement$/.test(type),
  );
}

/** The handler of errors in a node: of `catch`, of `.catch(…)`, of `.then(…, …)` or of an `error` event. */
function handlerOf(node: Node): Node | undefined {
  if (node.type === 'CatchClause') return node.body as Node;
  if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'MemberExpression') return undefined;
  const [first, second] = node.arguments as Node[];
  const method = ((node.callee as Node).property as Node).name;
  const isEvent = method === 'on' && first?.type === 'Literal' && first.value === 'error';
  const handler = method === 'catch' ? first : method === 'then' || isEvent ? second : undefined;
  if (handler === undefined || !/Function/.test(handler.type))
    return handler?.type === 'Identifier' && /^(noop|undefined)$/.test(String(handler.name))
      ? handler
      : undefined;
  return handler.body as Node;
}

const swallowed = (sources: readonly Source[], exemptions = exempt): string[] =>
  sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path) && exemptions[path] === undefined)
    .flatMap((source) =>
      nodesOf(source)
        .map(handlerOf)
        .filter((body) => body !== undefined && isSilent(body))
        .map((body) => `${source.path}:${lineAt(source.text, (body as Node).start)}: swallows an error`),
    );

const sources = readTree(root);

describe('errors', () => {
  it('are not swallowed', () => assert.deepEqual(swallowed(sources), []));
  it('are swallowed in every file that the list allows', () => {
    const faults = swallowed(sources, {});
    for (const path of Object.keys(exempt))
      assert.ok(
        faults.some((fault) => fault.startsWith(`${path}:`)),
        path,
      );
  });
});

describe('the guard of errors', () => {
  for (const text of [
    'try { act(); } catch {}',
    'try { act(); } catch { return undefined; }',
    'try { act(); } catch (error) {\n  // Not important.\n  return [];\n}',
    'for (const one of all) try { act(one); } catch { continue; }',
    'try { act(); } catch { return { }; }',
    "try { act(); } catch { return ''; }",
    'try { act(); } catch { return -1; }',
    'act().catch(() => undefined);',
    'act().catch(() => {});',
    'act().catch(() => ({}));',
    'act().catch((_error) => null);',
    'act().catch(function () { return false; });',
    'act().then(done, () => undefined);',
    "pool.on('error', () => {});",
  ])
    it(`refuses ${text.replaceAll('\n', ' ')}`, () =>
      assert.equal(swallowed(planted('server/ledger/a.ts', `async function a() { ${text} }`)).length, 1));
  it('allows a handler that tells or answers an error', () => {
    const text = `try { act(); } catch (error) { log.error(error); return undefined; }
      act().catch((error) => fail(error)); act().then(done, (error) => ({ error })); act().catch(report);`;
    assert.deepEqual(swallowed(planted('server/ledger/a.ts', `async function a() { ${text} }`)), []);
  });
});
