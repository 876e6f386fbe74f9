/** Writes files in the MaxMind format, right ones and broken ones. */

export type FileValue = string | number | boolean | FileValue[] | { [key: string]: FileValue } | Raw;
/** Bytes as they are, for what no right file has. */
class Raw {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
export const raw = (...bytes: number[]): FileValue => new Raw(Buffer.from(bytes));

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const UINT32 = 6;
const BOOLEAN = 14;
const ARRAY = 11;

/** The first bytes of a value: its type and size. */
export function headOf(type: number, size: number): Buffer {
  const long = size < 29 ? [] : size < 285 ? [size - 29] : [(size - 285) >> 8, (size - 285) & 255];
  const short = size < 29 ? size : size < 285 ? 29 : 30;
  return Buffer.from(type > 7 ? [short, type - 7, ...long] : [(type << 5) | short, ...long]);
}

export function encode(value: FileValue): Buffer {
  if (value instanceof Raw) return value.bytes;
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([headOf(2, bytes.length), bytes]);
  }
  if (typeof value === 'boolean') return headOf(BOOLEAN, Number(value));
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([headOf(UINT32, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([headOf(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    headOf(7, entries.length),
    ...entries.flatMap(([key, one]) => [encode(key), encode(one)]),
  ]);
}

/** The bits of `address/length`, of IPv4 as in a tree of IPv6. */
function bitsOf(range: string): number[] {
  const [address = '', length = ''] = range.split('/');
  const isIPv6 = address.includes(':');
  const groups = isIPv6 ? groupsOf(address) : [0, 0, 0, 0, 0, 0, ...pairsOf(address)];
  const bits = groups.flatMap((group) => [...group.toString(2).padStart(16, '0')].map(Number));
  return bits.slice(0, Number(length) + (isIPv6 ? 0 : 96));
}
const pairsOf = (address: string): number[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
};
const groupsOf = (address: string): number[] => {
  const [before = '', after = ''] = address.split('::');
  const numbers = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [first, last] = [numbers(before), numbers(after)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
};

type Node = [Node | number | null, Node | number | null];

/** A tree of nodes whose leaves are places in the data, in the order of the ranges. */
function treeOf(ranges: readonly string[], places: readonly number[]): Node[] {
  const root: Node = [null, null];
  for (const [index, range] of ranges.entries()) {
    const bits = bitsOf(range);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      const next = node[bit as 0 | 1];
      if (Array.isArray(next)) node = next;
      else {
        const made: Node = [null, null];
        node[bit as 0 | 1] = made;
        node = made;
      }
    }
    node[(bits.at(-1) ?? 0) as 0 | 1] = places[index] ?? 0;
  }
  const nodes: Node[] = [root];
  for (const node of nodes) for (const side of node) if (Array.isArray(side)) nodes.push(side);
  return nodes;
}

const writeNode = (left: number, right: number, size: 24 | 28 | 32): Buffer => {
  if (size === 28)
    return Buffer.from([
      ...[16, 8, 0].map((shift) => (left >> shift) & 255),
      ((left >> 24) << 4) | (right >> 24),
      ...[16, 8, 0].map((shift) => (right >> shift) & 255),
    ]);
  const bytes = Buffer.alloc(size / 4);
  bytes.writeUIntBE(left, 0, size / 8);
  bytes.writeUIntBE(right, size / 8, size / 8);
  return bytes;
};

type Options = { recordSize?: 24 | 28 | 32; metadata?: Record<string, FileValue>; data?: Buffer };

/** A file with the values of ranges of addresses. `data` stands before the values. */
export function networkFile(
  values: Record<string, FileValue>,
  { recordSize = 24, metadata = {}, data = Buffer.alloc(0) }: Options = {},
): Buffer {
  const encoded = Object.values(values).map(encode);
  const places = encoded.map((_, index) =>
    encoded.slice(0, index).reduce((sum, { length }) => sum + length, data.length),
  );
  const nodes = treeOf(Object.keys(values), places);
  const numbers = new Map(nodes.map((node, index) => [node, index]));
  const recordOf = (side: Node[number]): number => {
    if (side === null) return nodes.length;
    return Array.isArray(side) ? (numbers.get(side) ?? 0) : nodes.length + 16 + side;
  };
  return Buffer.concat([
    ...nodes.map(([left, right]) => writeNode(recordOf(left), recordOf(right), recordSize)),
    Buffer.alloc(16),
    data,
    ...encoded,
    MARKER,
    encode({
      binary_format_major_version: 2,
      binary_format_minor_version: 0,
      build_epoch: 1_750_000_000,
      database_type: 'Test',
      description: { en: 'Written by a test' },
      ip_version: 6,
      languages: ['en'],
      node_count: nodes.length,
      record_size: recordSize,
      ...metadata,
    }),
  ]);
}
