import { parseSync } from 'vite';

/** The syntax of TypeScript files, for the tests of the architecture. */

export type Source = { path: string; text: string };

export type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes directly below a node. */
export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const parsed = new Map<string, Node[]>();

/** All nodes of a file, each before the nodes in it. Throws for a file that has a syntax error. */
export function nodesOf({ path, text }: Source): Node[] {
  const key = `${path}\n${text}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Node[] = [];
  const add = (node: Node) => {
    found.push(node);
    for (const child of childrenOf(node)) add(child);
  };
  add(program as unknown as Node);
  parsed.set(key, found);
  return found;
}

/** The number of the line at a position of a text. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/**
 * The text of a string, of a template, or of a sum of them. A part that is not written there becomes `$1`, with its
 * line breaks, so that the lines of what follows are right. Undefined for other expressions.
 */
export function textOf(node: Node, source: string): string | undefined {
  const other = (part: Node) => `$1${source.slice(part.start, part.end).replaceAll(/[^\n]/g, '')}`;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral')
    return (node.quasis as Node[])
      .map(({ value }, index) => {
        const { cooked, raw } = value as { cooked: string | null; raw: string };
        const part = (node.expressions as Node[])[index];
        return (cooked ?? raw) + (part === undefined ? '' : other(part));
      })
      .join('');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [node.left as Node, node.right as Node];
  const [before, after] = [textOf(left, source), textOf(right, source)];
  return before === undefined && after === undefined
    ? undefined
    : (before ?? other(left)) + (after ?? other(right));
}

type Literal = { line: number; text: string };

/** Strings, templates and sums of them in a TypeScript file. Other parts become `$1` and are read separately. */
export const literalsOf = (source: Source): Literal[] =>
  nodesOf(source).flatMap((node) => {
    const text = textOf(node, source.text);
    return text === undefined ? [] : [{ line: lineAt(source.text, node.start), text }];
  });
