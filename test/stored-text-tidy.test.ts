import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { sqlTextsOf } from './sql-texts.ts';
import { lineAt, type Node, nodesOf, textOf } from './syntax.ts';

/**
 * Stored text is shown and never read back: what a program must know is a column of its own. The guard follows a text
 * by its name, through variables, and into the parameters of functions that get it.
 */
const texts = new Set(['description', 'subject', 'userName', 'reason', 'sourceName', 'reviewNote']);
/** Columns whose names also have other meanings: a stored text only where they are read from a row. */
const columns = new Set(['key', 'account', 'trouble', 'detail']);

/** Where SQL reads such a text, by its file and what it does. */
const exemptInSql: Record<string, string> = {
  'server/earning/functions.sql: reason ~':
    'classes the reason of a reversal when it is booked, and stores the class',
};

/** A file that takes such texts apart, and why. */
const exemptFiles: Record<string, string> = {
  'web/admin/kit/read-sentences.ts':
    'shows the server’s sentences in another language, and decides nothing by them',
  'web/admin/ledger/findings.ts':
    'finds the screen of the row that an audit names, and decides nothing by it',
};

/** The methods that take a text apart. `replaceAll` is not among them, because it escapes a text for a document. */
const partsOfText = new Set([
  ...['split', 'match', 'matchAll', 'search', 'replace'],
  ...['startsWith', 'endsWith', 'includes', 'indexOf', 'lastIndexOf'],
  ...['slice', 'substring', 'substr', 'at', 'charAt'],
]);

/**
 * The last name of an expression: `subject` of `row.subject`, of `subject?.trim()` and of `subject ?? ''`. A column
 * that is read from a row has a dot before it: `.key` of `row.key`.
 */
function nameOf(node: Node | undefined): string | undefined {
  switch (node?.type) {
    case 'Identifier':
      return node.name as string;
    case 'MemberExpression': {
      const name = node.computed === true ? textOf(node.property as Node, '') : nameOf(node.property as Node);
      return columns.has(name ?? '') ? `.${name}` : name;
    }
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return nameOf(node.expression as Node);
    case 'LogicalExpression':
      return nameOf(node.left as Node);
    case 'CallExpression': {
      const callee = node.callee as Node;
      if (callee.type === 'MemberExpression') return nameOf(callee.object as Node);
      return callee.name === 'String' ? nameOf((node.arguments as Node[])[0]) : undefined;
    }
  }
}

/** Each function by its name, with the names of its parameters. */
function* functionsIn(nodes: readonly Node[]): Generator<[name: string, parameters: (string | undefined)[]]> {
  const parametersOf = (node: Node) => (node.params as Node[]).map(nameOf);
  for (const node of nodes) {
    if (node.type === 'FunctionDeclaration') yield [nameOf(node.id as Node) ?? '', parametersOf(node)];
    const value = (node.init ?? node.value) as Node | null | undefined;
    if (/^(ArrowFunction|Function)Expression$/.test(value?.type ?? ''))
      yield [nameOf((node.id ?? node.key) as Node) ?? '', parametersOf(value as Node)];
  }
}

/** The names of stored texts in a file: the known ones, variables of their values, and parameters that get them. */
function textsIn(nodes: readonly Node[], passed: ReadonlySet<string>): Set<string> {
  const found = new Set([...texts, ...[...columns].map((name) => `.${name}`)]);
  for (const [name, parameters] of functionsIn(nodes))
    for (const [index, parameter] of parameters.entries())
      if (parameter !== undefined && passed.has(`${name} ${index}`)) found.add(parameter);
  for (const node of nodes) {
    const name = node.type === 'VariableDeclarator' ? nameOf(node.id as Node) : undefined;
    if (name !== undefined && found.has(nameOf((node.init ?? undefined) as Node) ?? '')) found.add(name);
    const pattern = node.type === 'VariableDeclarator' ? (node.id as Node) : undefined;
    if (pattern?.type === 'ObjectPattern') for (const taken of columnsTakenBy(pattern)) found.add(taken);
    // Taken out of an object under another name.
    const isRenamed = node.type === 'Property' && texts.has(nameOf(node.key as Node) ?? '');
    const other =
      isRenamed && (node.value as Node).type === 'Identifier' ? nameOf(node.value as Node) : undefined;
    if (other !== undefined) found.add(other);
  }
  return found;
}

/** The variables that a pattern such as `{ key, account: payer }` gets columns in. */
const columnsTakenBy = (pattern: Node): string[] =>
  (pattern.properties as Node[])
    .filter((property) => columns.has(nameOf(property.key as Node) ?? ''))
    .map(({ value }) => nameOf(((value as Node).left ?? value) as Node))
    .filter((name) => name !== undefined);

/** The parameters that take columns out of a row, with the function in which they are known. */
const columnParameters = (nodes: readonly Node[]): { names: string[]; start: number; end: number }[] =>
  nodes
    .filter(({ type }) => /Function/.test(type))
    .map(({ params, start, end }) => ({
      names: ((params ?? []) as Node[])
        .filter(({ type }) => type === 'ObjectPattern')
        .flatMap(columnsTakenBy),
      start,
      end,
    }))
    .filter(({ names }) => names.length > 0);

/** The parameters that get a stored text, as the name of the function and the place. */
const passedBy = (nodes: readonly Node[], passed: ReadonlySet<string>): string[] => {
  const known = textsIn(nodes, passed);
  return nodes
    .filter(({ type, callee }) => type === 'CallExpression' && (callee as Node).type === 'Identifier')
    .flatMap(({ callee, arguments: given }) =>
      (given as Node[])
        .map((argument, index) => ({ name: nameOf(argument) ?? '', index }))
        .filter(({ name }) => known.has(name))
        .map(({ index }) => `${(callee as Node).name} ${index}`),
    );
};

/** Whether a call takes a text apart: `text.split(…)`, or `pattern.test(text)`. */
function takesApart({ type, callee, arguments: given }: Node, known: ReadonlySet<string>): boolean {
  if (type !== 'CallExpression' || (callee as Node).type !== 'MemberExpression') return false;
  const { object, property } = callee as Node;
  const method = nameOf(property as Node) ?? '';
  const text = partsOfText.has(method)
    ? nameOf(object as Node)
    : /^(test|exec)$/.test(method) && nameOf((given as Node[])[0]);
  return typeof text === 'string' && known.has(text);
}

/** Whether an expression is a sentence: only stored sentences are compared with one. */
const isSentence = (node: Node | null): boolean =>
  node !== null && /\S\s+\S/.test(textOf(node, '')?.replaceAll('$1', '') ?? '');

/** Whether a comparison, a `switch` or a list's `includes` reads a sentence back: `text === 'Daily bonus: day 1'`. */
function comparesSentence(node: Node, known: ReadonlySet<string>): boolean {
  const isKnown = (one: unknown) => known.has(nameOf(one as Node) ?? '');
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator as string)) {
    const [left, right] = [node.left as Node, node.right as Node];
    return (isKnown(left) && isSentence(right)) || (isKnown(right) && isSentence(left));
  }
  if (node.type === 'SwitchStatement')
    return (
      isKnown(node.discriminant) && (node.cases as Node[]).some(({ test }) => isSentence(test as Node | null))
    );
  if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'MemberExpression') return false;
  const { object } = node.callee as Node;
  const isList = (object as Node).type === 'ArrayExpression';
  return (
    isList && isKnown((node.arguments as Node[])[0]) && ((object as Node).elements as Node[]).some(isSentence)
  );
}

function partsFaults(sources: readonly Source[]): string[] {
  const files = sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path))
    .map((source) => ({ source, nodes: nodesOf(source) }));
  let passed = new Set<string>();
  // A function may pass a text on: two steps are followed.
  for (let step = 0; step < 2; step += 1)
    passed = new Set(files.flatMap(({ nodes }) => passedBy(nodes, passed)));
  return files.flatMap(({ source: { path, text }, nodes }) => {
    const known = textsIn(nodes, passed);
    const parameters = columnParameters(nodes);
    const knownAt = (node: Node) =>
      known.union(
        new Set(
          parameters
            .filter(({ start, end }) => start <= node.start && node.end <= end)
            .flatMap(({ names }) => names),
        ),
      );
    return nodes
      .filter((node) => takesApart(node, knownAt(node)) || comparesSentence(node, knownAt(node)))
      .map(({ start, end }) => `${path}:${lineAt(text, start)}: ${text.slice(start, end).slice(0, 60)}`);
  });
}

const column =
  '(?:\\w+\\.)?(?:description|subject|user_name|reason|source_name|review_note|key|account|trouble|detail)\\b';
const partsInSql = new RegExp(
  `\\b${column}\\s*(?:!?~|(?:not\\s+)?(?:i?like|similar)\\b)` +
    `|\\b(?:split_part|substring|substr|regexp_\\w+|left|right|starts_with|strpos|position)\\s*\\(\\s*${column}` +
    `|\\b(?:where|and|or|when|on|if|not|having|case|\\()\\s*${column}\\s*(?:=|<>|!=|(?:not\\s+)?in\\s*\\()` +
    "\\s*'[^']*\\w\\s+\\w",
  'g',
);

const sqlFaults = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('server/') && !isTest(path) && /\.(ts|sql)$/.test(path))
    .flatMap(sqlTextsOf)
    .flatMap(({ path, text }) => [...text.matchAll(partsInSql)].map(([part]) => `${path}: ${part}`));

describe('stored text', () => {
  const sources = ['server', 'web'].flatMap((name) => readTree(join(root, name)));

  it('is taken apart only where the list allows it', () => {
    const places = partsFaults(sources).map((fault) => fault.split(':')[0]);
    assert.deepEqual([...new Set(places)], Object.keys(exemptFiles));
  });
  it('is taken apart in SQL only where the list allows it', () =>
    assert.deepEqual([...new Set(sqlFaults(sources))], Object.keys(exemptInSql)));
});

describe('the guard of stored text', () => {
  for (const text of [
    "movement.description.split(': ');",
    'const [, day] = /day (\\d+)/.exec(movement.description) ?? [];',
    "if (row.description.startsWith('Daily bonus')) act();",
    "(ticket?.subject ?? '').match(/#(\\d+)/);",
    'const words = withdrawal.userName; words.slice(0, 1);',
    'const { reason: words } = row; /code/.test(words);',
    'const initialsOf = (name: string) => name.trim().split(/\\s+/); initialsOf(request.userName);',
    "row.key.split(':')[0];",
    "row['key'].split(':')[0];",
    "const parts = movement.account.split(':');",
    "const { key } = row; key.split(':');",
    'const read = ({ account: payer }: Row) => payer.slice(9);',
    "function read({ key }: Row) { return key.split(':')[1]; }",
    "const key = movement.key; if (key.startsWith('bonus:')) act();",
    "entry.sourceName.startsWith('CPX');",
    "if (row.reviewNote === 'Taken back by the provider') act();",
    "const isFirst = m.description === 'Daily bonus: day 1';",
    "const isFirst = 'Daily bonus: day ' + day !== m.description;",
    "switch (payout.trouble) { case 'No answer from the node': act(); }",
    "['Fraud by the member', 'VPN in use'].includes(row.detail);",
    "/refused/.test(payout.trouble ?? '');",
    'function a(name: string) { return b(name); }\nfunction b(x: string) { return x.slice(1); }\na(row.reason);',
  ])
    it(`refuses ${text.replaceAll('\n', ' ')}`, () => {
      assert.equal(partsFaults(planted('server/ledger/a.ts', text)).length, 1);
      assert.equal(partsFaults(planted('web/ledger/a.tsx', text)).length, 1);
    });
  it('refuses a text that another file gives', () => {
    const faults = partsFaults([
      ...planted('web/ui/a.ts', 'export const initialsOf = (name: string) => name.slice(0, 1);'),
      ...planted('web/ledger/b.ts', 'initialsOf(request.userName);'),
    ]);
    assert.equal(faults.length, 1);
  });
  it('refuses it in SQL', () => {
    for (const text of [
      "select from m where m.description like 'Daily%'",
      "select split_part(subject, ' ', 1)",
      "select reason ~ 'code'",
      "select split_part(key, ':', 1)",
      "select split_part(m.account, ':', 2)",
      "select from e where e.review_note = 'Taken back by the provider'",
      "select case when trouble in ('No answer from the node', 'x') then 1 end",
      "select starts_with(source_name, 'CPX')",
      "select from payouts where detail ilike '%refused%'",
    ])
      assert.equal(sqlFaults(planted('server/ledger/functions.sql', text)).length, 1, text);
  });
  it('allows other texts', () => {
    const text = "url.split('/'); show(movement.description); const { length } = row.subject;";
    assert.deepEqual(partsFaults(planted('server/ledger/a.ts', text)), []);
    const names =
      "key.split(':'); const key = a + ': ' + b; if (row.reason === 'fraud' || text === 'in trouble') act();";
    assert.deepEqual(partsFaults(planted('server/ledger/a.ts', names)), []);
    const write =
      "update e set state = 'rejected', review_note = 'Taken back by the provider' where key = 'a'";
    assert.deepEqual(sqlFaults(planted('server/ledger/functions.sql', write)), []);
  });
});
