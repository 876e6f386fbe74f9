/**
 * Reads SQL out of the source tree, for the tests of its architecture: the statements of `.sql` files without their
 * comments, and the literals of TypeScript files, where statements stand in templates and strings.
 */
export type Source = { path: string; text: string };

/** A piece of SQL, and the line on which it begins. */
export type SqlText = { path: string; line: number; text: string };

const blank = (comment: string): string => comment.replaceAll(/[^\n]/g, ' ');

/** A `.sql` file without its comments, its lines where they were. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/--[^\n]*/g, blank).replaceAll(/\/\*[\s\S]*?\*\//g, blank);

/** All SQL that a source may hold: a `.sql` file is one piece, of TypeScript every literal is one. */
export function sqlTextsOf({ path, text }: Source): SqlText[] {
  if (path.endsWith('.sql')) return [{ path, line: 1, text: withoutComments(text) }];
  return literalsOf(text).map(({ line, text: literal }) => ({ path, line, text: literal }));
}

type Literal = { line: number; text: string };

/** Strings and templates of a TypeScript source; a template's interpolations are `$1`, and read on their own. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  readCode(source, 0, found);
  return found;
}

const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length;

/** Reads code from `at` to the end, or to the brace that closes an interpolation. Returns the place after it. */
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
      // Keeps the lines of what follows where they were.
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
