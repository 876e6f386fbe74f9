import type { Plugin } from 'vite';

/**
 * What a screen needs of the contract is mostly where its calls go; what they carry is checked by the server. So each
 * file of the contract is built as two: one with the endpoints' addresses and whatever is plain, and beside it
 * `FILE?rules` with what is made of schemas, which only those load who check a field by a rule of the contract. The
 * library of schemas and 40 kB are no part of the first screen by this.
 */
type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Declared = { name: string; statement: Node; isExported: boolean; init: Node };

const shapes = new Set(['params', 'query', 'body', 'reply', 'refusals', 'summary', 'access', 'status']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
}

const isEndpoint = (node: Node): boolean =>
  node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'endpoint';

/** `endpoint({ method, path, reply, … })` as `({ method, path })`: its places in the code, and the new text. */
function addressOf(call: Node, code: string): string {
  const [declaration] = call.arguments as Node[];
  const kept = ((declaration?.properties ?? []) as Node[]).filter(
    (property) => !(isNode(property.key) && shapes.has(String(property.key.name))),
  );
  return `({ ${kept.map(({ start, end }) => code.slice(start, end)).join(', ')} })`;
}

/** The text of a node with every endpoint in it as its address. */
function withAddresses(node: Node, code: string): string {
  const inside = [...nodesIn(node)].filter(isEndpoint).sort((one, other) => other.start - one.start);
  return inside.reduce(
    (text, call) =>
      text.slice(0, call.start - node.start) + addressOf(call, code) + text.slice(call.end - node.start),
    code.slice(node.start, node.end),
  );
}

/** What a file declares: its constants and functions, by name. */
function declaredIn(program: Node): Declared[] {
  return (program.body as Node[]).flatMap((statement) => {
    const inner = isNode(statement.declaration) ? statement.declaration : statement;
    const isExported = inner !== statement;
    if (inner.type === 'FunctionDeclaration')
      return [{ name: (inner.id as Node).name as string, statement, isExported, init: inner }];
    if (inner.type !== 'VariableDeclaration') return [];
    const [first, ...others] = inner.declarations as Node[];
    if (first === undefined || others.length > 0 || !isNode(first.init)) return [];
    return [{ name: (first.id as Node).name as string, statement, isExported, init: first.init }];
  });
}

/** The names that are made of schemas: by a call, or by a use of such a name outside of an endpoint. */
function madeOfSchemas(declared: readonly Declared[]): Set<string> {
  const made = new Set<string>();
  const uses = (node: Node): boolean => {
    if (isEndpoint(node)) return false;
    if (node.type === 'Identifier' && made.has(String(node.name))) return true;
    return Object.values(node).some((value) =>
      (Array.isArray(value) ? value : [value]).some((child) => isNode(child) && uses(child)),
    );
  };
  for (let before = -1; before < made.size; ) {
    before = made.size;
    for (const { name, init } of declared)
      if (!isEndpoint(init) && (init.type === 'CallExpression' || uses(init))) made.add(name);
  }
  return made;
}

/** Both halves of a file whose types are gone. */
function split(id: string, code: string, program: Node): { addresses: string; rules: string } {
  const declared = declaredIn(program);
  const made = madeOfSchemas(declared);
  const moved = new Map(
    declared.filter(({ name }) => made.has(name)).map((one) => [one.statement, one] as const),
  );
  const addresses = (program.body as Node[]).map((statement) => {
    const one = moved.get(statement);
    if (one === undefined) return withAddresses(statement, code);
    return one.isExported ? `export { ${one.name} } from ${JSON.stringify(`${id}?rules`)};` : '';
  });
  const calls = declared.filter(({ init }) => init.type === 'CallExpression');
  const rules = calls
    .sort((one, other) => other.init.start - one.init.start)
    .reduce(
      (text, { init: { start, end } }) =>
        `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
      code,
    );
  return { addresses: addresses.join('\n'), rules };
}

/** The plugin. */
export function contractAddresses(contractDir: string): Plugin {
  const rulesOf = new Map<string, string>();
  const isContract = (id: string) => id.startsWith(contractDir) && id.endsWith('.ts');
  return {
    name: 'contract-addresses',
    enforce: 'post',
    resolveId: (id) => (id.startsWith(contractDir) && id.endsWith('?rules') ? id : null),
    load: (id) => rulesOf.get(id) ?? null,
    transform(code, id) {
      if (!isContract(id)) return null;
      const { addresses, rules } = split(id, code, this.parse(code) as unknown as Node);
      rulesOf.set(`${id}?rules`, rules);
      return { code: addresses, map: null, moduleSideEffects: false };
    },
  };
}
