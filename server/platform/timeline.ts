import type { TimelineLine, TimelinePart } from '#contract/timeline.ts';
import type { Reader } from './database.ts';
import { InvalidRequest } from './http/problem.ts';

/**
 * A timeline merges the rows of several features, newest first, in pages. Each feature is a source that reads its own
 * rows after a place of its own, by an index. The place of a whole page is those of its sources, so a late page costs
 * as much as the first one, and rows that are added meanwhile neither repeat nor hide others.
 */

/** A line without what only the merged page knows. `place` is where the source's next line begins. */
export type SourceLine = Pick<
  TimelineLine,
  'kind' | 'text' | 'link' | 'amount' | 'balanceAfter' | 'facts'
> & {
  at: Date;
  place: string;
};

export type TimelineSource = {
  /** Short and unique, because it is part of the lines' ids and of the places. */
  name: string;
  part: TimelinePart;
  /** The form of a place. It comes from outside. */
  placeForm: RegExp;
  /** Reads up to `limit` lines, newest first, after a place; from the newest if it is null. */
  read(reader: Reader, memberId: number, after: string | null, limit: number): Promise<SourceLine[]>;
};

/** The places of rows with a number, and of those with a time and an id. */
export const NUMBER = /^[1-9]\d{0,17}$/;
export const TIME_AND_ID = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z\.[0-9a-z-]{1,50}$/;

const PAGE_LINES = 50;

type Places = Record<string, string>;

/** The places of a page. @throws InvalidRequest if the text was not made by `textOf` */
function placesOf(text: string | undefined, sources: readonly TimelineSource[]): Places {
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const entries = Object.entries(parsed as object);
    const isPlace = ([name, place]: [string, unknown]) =>
      typeof place === 'string' && sources.some((one) => one.name === name && one.placeForm.test(place));
    if (entries.every(isPlace)) return Object.fromEntries(entries) as Places;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new InvalidRequest([{ path: 'before', message: 'Must be the `next` of a line' }]);
}

const textOf = (places: Places): string => Buffer.from(JSON.stringify(places)).toString('base64url');

/**
 * Reads a page of the merged sources.
 * @param before the `next` of the page before; undefined for the newest page
 * @throws InvalidRequest if `before` is not one
 */
export async function readTimelinePage(
  reader: Reader,
  sources: readonly TimelineSource[],
  memberId: number,
  before: string | undefined,
): Promise<TimelineLine[]> {
  const places = placesOf(before, sources);
  const read = await Promise.all(
    sources.map(async ({ name, read: readSource }) => ({
      name,
      lines: await readSource(reader, memberId, places[name] ?? null, PAGE_LINES + 1),
    })),
  );
  const page: TimelineLine[] = [];
  for (;;) {
    const source = newestOf(read);
    const line = source?.lines[0];
    if (source === undefined || line === undefined) return page;
    if (page.length === PAGE_LINES) {
      const last = page.at(-1);
      if (last !== undefined) last.next = textOf(places);
      return page;
    }
    const { at, place, ...rest } = line;
    page.push({ id: `${source.name}-${place}`, at: at.toISOString(), ...rest, next: null });
    places[source.name] = place;
    source.lines.shift();
  }
}

type ReadSource = { name: string; lines: SourceLine[] };

/** The source whose first line is the newest. A source's own order stays, also where its times are not in order. */
const newestOf = (sources: readonly ReadSource[]): ReadSource | undefined =>
  sources.reduce<ReadSource | undefined>((newest, source) => {
    const [line] = source.lines;
    const best = newest?.lines[0];
    return line !== undefined && (best === undefined || line.at > best.at) ? source : newest;
  }, undefined);

/**
 * A source of a few rows, which are read as a whole. Each has a time and an id that is unique among those of the same
 * millisecond.
 */
export function linesAfter<Line extends Omit<SourceLine, 'place'> & { id: string }>(
  lines: readonly Line[],
  after: string | null,
  limit: number,
): SourceLine[] {
  const placed = lines.map(({ id, ...line }) => ({ ...line, place: `${line.at.toISOString()}.${id}` }));
  return placed
    .toSorted((a, b) => (a.place < b.place ? 1 : -1))
    .filter(({ place }) => after === null || place < after)
    .slice(0, limit);
}
