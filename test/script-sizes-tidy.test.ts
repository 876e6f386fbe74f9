import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { lineAt, literalsOf, type Node, nodesOf, textOf } from './syntax.ts';

/**
 * Scripts give type, spacing and radius as names or tokens, and take breakpoints from `web/ui/sizes.ts`. The guard
 * follows a value through conditions, templates, sums and variables of the file. `styles-tidy.test.ts` tests style
 * files.
 */

/** Props of the component library that hold a size. */
const sizeProps =
  /^(fz|fw|lh|lts|[mp][trblxyse]?|gap|rowGap|columnGap|spacing|verticalSpacing|horizontalSpacing|radius)$/;
/** Such props in an object. Names of one letter have other meanings there. */
const sizePropsOfObjects = /^(fz|fw|lts|[mp][trblxy]|radius)$/;
/** Properties of styles that hold a size. */
const sizeProperties = new RegExp(
  '^(fontSize|fontWeight|lineHeight|letterSpacing|border\\w*Radius|gap|rowGap|columnGap|' +
    '(scrollM|m)argin\\w*|(scrollP|p)adding\\w*)$',
);

/** The name of a property in the form of scripts: `fontSize` for `font-size`. */
const inScript = (name: string): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const isSize = (text: string): boolean =>
  /(?<![\w.#-])-?(?!0(?![\d.]))\d*\.?\d+(px|r?em|ch|ex|pt|v[hw])?(?![\w%])/.test(text);

/** The variables of a file with their values. */
const variablesOf = (nodes: readonly Node[]): Map<string, Node> =>
  new Map(
    nodes
      .filter(
        ({ type, id, init }) => type === 'VariableDeclarator' && (id as Node).type === 'Identifier' && init,
      )
      .map(({ id, init }) => [(id as Node).name as string, init as Node]),
  );

/** Whether a function gives a size of its arguments: `rem(13)`, `Math.max(13, width)`. */
const isOfNumbers = ({ name, object }: Node): boolean =>
  /^(rem|em|px|String|Number)$/.test(String(name)) || (object as Node | undefined)?.name === 'Math';

/** The sizes that an expression may have as its value. */
function sizesIn(node: Node | null | undefined, variables: Map<string, Node>, depth = 0): string[] {
  if (!node || depth > 12) return [];
  const of = (...parts: unknown[]) => parts.flatMap((part) => sizesIn(part as Node, variables, depth + 1));
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'number') return node.value === 0 ? [] : [String(node.value)];
      return typeof node.value === 'string' && isSize(node.value) ? [node.value] : [];
    case 'TemplateLiteral': {
      const text = textOf(node, '')?.replaceAll('$1', 'x ') ?? '';
      return [...(isSize(text) ? [text] : []), ...of(...(node.expressions as Node[]))];
    }
    case 'Identifier':
      return of(variables.get(node.name as string));
    case 'UnaryExpression':
      return of(node.argument);
    case 'ConditionalExpression':
      return of(node.consequent, node.alternate);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return /^([<>]=?|[!=]==?|in|instanceof)$/.test(node.operator as string)
        ? []
        : of(node.left, node.right);
    case 'ObjectExpression':
      return of(...(node.properties as Node[]).map((property) => property.value ?? property.argument));
    case 'ArrayExpression':
      return of(...(node.elements as Node[]));
    case 'CallExpression':
      return isOfNumbers(node.callee as Node) ? of(...(node.arguments as Node[])) : [];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return of(node.expression);
    default:
      return [];
  }
}

/** The values that a node gives to names of sizes. */
function* given(node: Node, text: string): Generator<[name: string, value: Node]> {
  const nameOf = (key: Node) => inScript(textOf(key, text) ?? String(key.name));
  if (node.type === 'JSXAttribute' && node.value) {
    const name = String((node.name as Node).name);
    if (sizeProps.test(name)) yield [name, node.value as Node];
  }
  if (node.type === 'Property' && (node.computed !== true || (node.key as Node).type === 'Literal')) {
    const name = nameOf(node.key as Node);
    if (sizeProperties.test(name) || sizePropsOfObjects.test(name)) yield [name, node.value as Node];
  }
  if (node.type === 'AssignmentExpression' && (node.left as Node).type === 'MemberExpression') {
    const name = nameOf((node.left as Node).property as Node);
    if (sizeProperties.test(name)) yield [name, node.right as Node];
  }
  if (node.type === 'CallExpression' && (node.callee as Node).type === 'MemberExpression') {
    const [first, second] = node.arguments as Node[];
    const isSetting = ((node.callee as Node).property as Node).name === 'setProperty' && first && second;
    if (isSetting && sizeProperties.test(nameOf(first))) yield [nameOf(first), second];
  }
}

/** A query of the window's width. */
const widthQuery = /\b(min|max)-width\s*:|\bwidth\s*[<>]|[<>]=?\s*width\b/;
const windowWidth = /^(inner|outer)Width$/;

function sizeFaults(sources: readonly Source[]): string[] {
  const files = sources.filter(
    ({ path }) => /^web\/.*\.tsx?$/.test(path) && !isTest(path) && path !== 'web/ui/sizes.ts',
  );
  return files.flatMap((source) => {
    const nodes = nodesOf(source);
    const variables = variablesOf(nodes);
    const place = (start: number) => `${source.path}:${lineAt(source.text, start)}`;
    const sizes = nodes.flatMap((node) =>
      [...given(node, source.text)].flatMap(([name, value]) =>
        sizesIn(value, variables).map((size) => `${place(node.start)}: ${name}: ${size}`),
      ),
    );
    const widths = nodes
      .filter((node) => node.type === 'Identifier' && windowWidth.test(node.name as string))
      .map(({ start, name }) => `${place(start)}: ${name}`);
    const queries = literalsOf(source)
      .filter(({ text }) => widthQuery.test(text))
      .map(({ line, text }) => `${source.path}:${line}: ${text.slice(0, 60)}`);
    return [...sizes, ...widths, ...queries];
  });
}

const sources = readTree(join(root, 'web'));

describe('the sizes in scripts', () => {
  it('are read from the tree', () => {
    const names = sources
      .filter(({ path }) => path.endsWith('.tsx') && !isTest(path))
      .flatMap((source) => nodesOf(source).flatMap((node) => [...given(node, source.text)]))
      .map(([name]) => name);
    assert.ok(names.length > 15, `only ${names.length} were found`);
    for (const name of ['gap', 'mt']) assert.ok(names.includes(name), name);
  });
  it('are names and tokens', () => assert.deepEqual(sizeFaults(sources), []));
});

describe('the guard of sizes in scripts', () => {
  const refused = [
    '<i style={{ fontSize: isBig ? 19 : "var(--e-size-body)" }} />',
    '<i style={{ padding: `13px` }} />',
    '<i style={{ padding: `@{space} 13px` }} />',
    '<i style={{ borderRadius: isBig ? 0 : 3 }} />',
    "<i style={{ 'font-weight': 560 }} />",
    '<i style={{ marginInlineStart: -4 }} />',
    'const style = { ["paddingTop"]: isOpen && "0.9em" };',
    'const space = 13; export const style = { gap: space };',
    '<Box px={isX ? 13 : 0} />',
    "<Box mt={'13px'} />",
    '<Box mt={`13px`} />',
    '<Box mt="13px" />',
    '<Box p={{ base: 0, sm: 7 }} />',
    '<Box ps={rem(13)} />',
    '<Stack gap={Math.max(13, width)} />',
    '<Stack gap={(given ?? 13) as number} />',
    '<Text lh={1.45} />',
    '<Box {...{ px: 13 }} />',
    "element.style.padding = '13px';",
    "element.style.setProperty('border-radius', `@{isBig ? 7 : ''}px`);",
    'const isNarrow = window.innerWidth < breakpoint;',
    'const { innerWidth: width } = window;',
    "matchMedia('(width < 767px)').matches;",
    "useMediaQuery('(min-width: 48em)');",
    'useMediaQuery(`(@{limit}px <= width)`);',
    '<img sizes="(max-width: 767px) 100vw, 50vw" />',
  ].map((text) => text.replaceAll('@{', ['$', '{'].join('')));
  for (const text of refused)
    it(`refuses ${text}`, () => {
      assert.equal(sizeFaults(planted('web/a.tsx', text)).length, 1);
      assert.deepEqual(sizeFaults(planted('web/ui/sizes.ts', text.startsWith('<') ? '' : text)), []);
    });
  it('refuses each size of a condition', () => {
    const text = '<i style={{ fontSize: isBig ? 19 : 13, padding: `13px`, borderRadius: isBig ? 7 : 3 }} />';
    assert.equal(sizeFaults(planted('web/a.tsx', text)).length, 5);
  });
  it('allows names, tokens, own measures of an element, and other numbers', () => {
    const text = [
      '<><Box mt="sm" px={count > 3 ? "md" : 0} radius="xl" w={40} size={12} />',
      "<i style={{ gap: 'var(--e-space-8)', width: 40, margin: '0 auto', borderRadius: '50%' }} /></>;",
      "const query = useMediaQuery(below('tablet'));",
      "matchMedia('(prefers-color-scheme: dark)');",
      'const point = { m: 13, width: 40 };',
    ].join('\n');
    assert.deepEqual(sizeFaults(planted('web/a.tsx', text)), []);
  });
});
