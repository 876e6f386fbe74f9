import { Reader } from 'maxmind';

/**
 * A file in the MaxMind format, checked before the first look-up. The library believes the file: one that is broken, or
 * made so that few bytes unfold to many values, would throw, give a wrong answer or stop the process in a look-up.
 * Here every node and every record is read once with bounds, so that a look-up can't meet anything else.
 */

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_BYTES_MAX = 128 * 1024;
const SEPARATOR_BYTES = 16;
/** A record of a real file has fewer than 200 values and is 6 levels deep. */
const VALUES_MAX = 5_000;
const TEXT_BYTES_MAX = 256 * 1024;
const DEPTH_MAX = 24;
/** Values of all records together. The largest real file, of cities, has about 10 million. */
const ALL_VALUES_MAX = 50_000_000;

const EXTENDED = 0;
const POINTER = 1;
const MAP = 7;
const ARRAY = 11;
const BOOLEAN = 14;
/** The types above it have a byte of their own. */
const LAST_SHORT = 7;
/** The sizes of numbers by type: exact ones, and the most of whole numbers. */
const exactSizes: Record<number, number> = { 3: 8, 15: 4 };
const largestSizes: Record<number, number> = { 5: 2, 6: 4, 8: 4, 9: 8, 10: 16 };
const PLAIN = new Set([2, 3, 4, 5, 6, 8, 9, 10, 15]);
/** What is added to a pointer, by its size. */
const pointerBases = [0, 2_048, 526_336, 0];

/** Why a file can't be used. */
export class NetworkFileFault extends Error {}

const fault = (reason: string): never => {
  throw new NetworkFileFault(reason);
};

type Section = { bytes: Buffer; start: number; end: number };
/** What one record may still unfold to. */
type Budget = { values: number; textBytes: number };
const freshBudget = (): Budget => ({ values: VALUES_MAX, textBytes: TEXT_BYTES_MAX });

/** The bytes at a place, all within the section. */
function readAt({ bytes, start, end }: Section, offset: number, length: number): number {
  if (start + offset + length > end) return fault('is cut off');
  return length === 0 ? 0 : bytes.readUIntBE(start + offset, length);
}

/** Checks the value at a place and everything in it. Returns where it ends. */
function checkValue(section: Section, offset: number, budget: Budget, depth = 0, isKey = false): number {
  budget.values -= 1;
  if (budget.values < 0 || depth > DEPTH_MAX) fault('has a record that unfolds to too much');
  const control = readAt(section, offset, 1);
  const short = control >> 5;
  if (short === POINTER) {
    const size = (control >> 3) & 3;
    const packed = readAt(section, offset + 1, size + 1);
    const high = size === 3 ? 0 : (control & 7) * 256 ** (size + 1);
    const target = high + packed + (pointerBases[size] ?? 0);
    if (readAt(section, target, 1) >> 5 === POINTER) fault('has a pointer to a pointer');
    checkValue(section, target, budget, depth + 1, isKey);
    return offset + 2 + size;
  }
  const isExtended = short === EXTENDED;
  const type = isExtended ? readAt(section, offset + 1, 1) + LAST_SHORT : short;
  const { size, at } = readSize(section, offset + (isExtended ? 2 : 1), control & 31);
  if (isKey && type !== 2) fault('has a name that is no text');
  if (isExtended && type === LAST_SHORT) fault('has a value of an unknown type');
  if (type === MAP || type === ARRAY) return checkMany(section, { type, size, at }, budget, depth);
  if (type === BOOLEAN) return size > 1 ? fault('has a value of a wrong size') : at;
  if (!PLAIN.has(type)) fault('has a value of an unknown type');
  if (size !== (exactSizes[type] ?? size) || size > (largestSizes[type] ?? size))
    fault('has a value of a wrong size');
  if (section.start + at + size > section.end) fault('is cut off');
  budget.textBytes -= size;
  if (budget.textBytes < 0) fault('has a record that unfolds to too much');
  return at + size;
}

function readSize(section: Section, at: number, size: number): { size: number; at: number } {
  if (size < 29) return { size, at };
  if (size === 29) return { size: 29 + readAt(section, at, 1), at: at + 1 };
  if (size === 30) return { size: 285 + readAt(section, at, 2), at: at + 2 };
  return { size: 65_821 + readAt(section, at, 3), at: at + 3 };
}

function checkMany(
  section: Section,
  { type, size, at }: { type: number; size: number; at: number },
  budget: Budget,
  depth: number,
): number {
  let next = at;
  for (let one = 0; one < size; one += 1) {
    if (type === MAP) next = checkValue(section, next, budget, depth + 1, true);
    next = checkValue(section, next, budget, depth + 1);
  }
  return next;
}

/** The records of all nodes, of which each has two. */
function* recordsOf(bytes: Buffer, recordSize: number, nodeCount: number): Generator<number> {
  const nodeBytes = recordSize / 4;
  for (let node = 0; node < nodeCount; node += 1) {
    const at = node * nodeBytes;
    if (recordSize === 28) {
      const middle = bytes.readUInt8(at + 3);
      yield (middle >> 4) * 2 ** 24 + bytes.readUIntBE(at, 3);
      yield (middle & 15) * 2 ** 24 + bytes.readUIntBE(at + 4, 3);
    } else {
      yield bytes.readUIntBE(at, nodeBytes / 2);
      yield bytes.readUIntBE(at + nodeBytes / 2, nodeBytes / 2);
    }
  }
}

function checkRecords(bytes: Buffer, end: number, metadata: Reader<never>['metadata']): void {
  const { nodeCount, recordSize, searchTreeSize, ipVersion } = metadata;
  if (![4, 6].includes(ipVersion)) fault('has an unknown version of addresses');
  if (metadata.binaryFormatMajorVersion !== 2) fault('has an unknown version of the format');
  if (!Number.isSafeInteger(nodeCount) || nodeCount < 1) fault('has no nodes');
  if (searchTreeSize + SEPARATOR_BYTES > end) fault('is cut off');
  const data: Section = { bytes, start: searchTreeSize + SEPARATOR_BYTES, end };
  const seen = new Set<number>();
  let left = ALL_VALUES_MAX;
  for (const record of recordsOf(bytes, recordSize, nodeCount)) {
    if (record <= nodeCount || seen.has(record)) continue;
    seen.add(record);
    if (record < nodeCount + SEPARATOR_BYTES) fault('has a node that leads nowhere');
    const budget = freshBudget();
    checkValue(data, record - nodeCount - SEPARATOR_BYTES, budget);
    left -= VALUES_MAX - budget.values;
    if (left < 0) fault('has more records than a file of this format');
  }
}

/** A reader of a file's bytes. @throws NetworkFileFault with what is wrong, as the end of a sentence */
export function readerOf(bytes: Buffer): Reader<Record<string, never>> {
  const marker = bytes.lastIndexOf(MARKER);
  if (marker === -1 || bytes.length - marker > METADATA_BYTES_MAX) return fault('is no file of this format');
  const metadata: Section = { bytes, start: marker + MARKER.length, end: bytes.length };
  // The library reads the metadata by itself, so they are checked before.
  if (readAt(metadata, 0, 1) >> 5 !== MAP) fault('is no file of this format');
  checkValue(metadata, 0, freshBudget());
  const reader = openReader(bytes);
  checkRecords(bytes, marker, reader.metadata);
  return reader;
}

function openReader(bytes: Buffer): Reader<Record<string, never>> {
  try {
    return new Reader(bytes);
  } catch {
    return fault('has metadata that do not fit');
  }
}
