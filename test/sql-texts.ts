/**
 * Reads SQL from the source tree for the tests of its architecture: the text of `.sql` files without comments, and
 * the literals of TypeScript files.
 */
export type Source = { path: string; text: string };

/** A piece of SQL and its first line. */
export type SqlText = { path: string; line: number; text: string };

const blank = (comment: string): string => comment.replaceAll(/[^\n]/g, ' ');

/** A `.sql` file without its comments, with unchanged line numbers. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/--[^\n]*/g, blank).replaceAll(/\/\*[\s\S]*?\*\//g, blank);

/** All possible SQL of a source: a `.sql` file is one piece, each literal in TypeScript is one. */
export function sqlTextsOf({ path, text }: Source): SqlText[] {
  if (path.endsWith('.sql')) return [{ path, line: 1, text: withoutComments(text) }];
  return literalsOf(text).map(({ line, text: literal }) => ({ path, line, text: literal }));
}

type Literal = { line: number; text: string };

/** Strings and templates of a TypeScript source. Interpolations become `$1` and are read separately. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  readCode(source, 0, found);
  return found;
}

const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length;

/** Reads code from `at` to the end, or to the brace that closes an interpolation. Returns the position after it. */
function readCode(source: string, at: number, found: Literal[]): number {
  let depth = 0;
  for (let place = at; place < source.length; place += 1) {
    const char = source[place];
    if (char === '/' && '/*'.includes(source[place + 1] ?? ' ')) place = skipComment(source, place);
    else if (
      char === '/' &&
      /(^|[(,=:[!&|?{};]|return)\s*$/.test(source.slice(Math.max(0, place - 20), place))
    )
      place = skipRegex(source, place);
    else if (char === "'" || char === '"') place = readString(source, place, found);
    else if (char === '`') place = readTemplate(source, place, found);
    else if (char === '{') depth += 1;
    else if (char === '}') {
      if (depth === 0) return place;
      depth -= 1;
    }
  }
  return source.length;
}

function skipComment(source: string, at: number): number {
  const end = source[at + 1] === '/' ? source.indexOf('\n', at) : source.indexOf('*/', at) + 1;
  return end <= 0 ? source.length : end;
}

function skipRegex(source: string, at: number): number {
  let isInClass = false;
  for (let place = at + 1; place < source.length; place += 1) {
    const char = source[place];
    if (char === '\\') place += 1;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '\n' || (char === '/' && !isInClass)) return place;
  }
  return source.length;
}

function readString(source: string, at: number, found: Literal[]): number {
  let place = at + 1;
  while (place < source.length && source[place] !== source[at] && source[place] !== '\n')
    place += source[place] === '\\' ? 2 : 1;
  found.push({ line: lineAt(source, at), text: source.slice(at + 1, place) });
  return place;
}

function readTemplate(source: string, at: number, found: Literal[]): number {
  let text = '';
  let place = at + 1;
  while (place < source.length && source[place] !== '`') {
    if (source[place] === '$' && source[place + 1] === '{') {
      const end = readCode(source, place + 2, found);
      // Keeps the line numbers of what follows.
      text += `$1${source.slice(place, end).replaceAll(/[^\n]/g, '')}`;
      place = end + 1;
    } else {
      const width = source[place] === '\\' ? 2 : 1;
      text += source.slice(place, place + width);
      place += width;
    }
  }
  found.push({ line: lineAt(source, at), text: withoutComments(text) });
  return place;
}
