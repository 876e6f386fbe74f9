import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encode, type FileValue, headOf, networkFile, raw } from '../../test/network-files.ts';
import { ConfigFault } from './config.ts';
import { openNetworks } from './networks.ts';

/** Files of networks: the answers for documented addresses, and files that no start accepts. */
const folder = mkdtempSync(join(tmpdir(), 'earnest-networks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = (name: string, bytes: Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const faultOf = async (path: string): Promise<string[]> => {
  try {
    await openNetworks([path]);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigFault, String(error));
    return error.lines.map((line) => line.replaceAll(path, 'FILE'));
  }
};

const anonymous = { is_anonymous: true };
/** Of the documented addresses of MaxMind's own test files. */
const anonymousRanges: Record<string, FileValue> = {
  '1.2.0.0/16': { ...anonymous, is_anonymous_vpn: true },
  '1.124.213.1/32': { ...anonymous, is_anonymous_vpn: true, is_tor_exit_node: true },
  '71.160.223.0/24': { ...anonymous, is_hosting_provider: true },
  '186.30.236.0/24': { ...anonymous, is_public_proxy: true },
  '65.0.0.0/13': { ...anonymous, is_tor_exit_node: true },
  'abcd:1000::/112': { ...anonymous, is_public_proxy: true },
  '6.1.0.4/32': { ...anonymous, is_residential_proxy: true },
  '6.1.0.6/32': anonymous,
  '10.1.0.0/16': { ...anonymous, is_public_proxy: true },
};
const countryRanges: Record<string, FileValue> = {
  '81.2.69.160/27': { country: { iso_code: 'GB', names: { en: 'United Kingdom' } } },
  '202.196.224.0/20': { country: { iso_code: 'PH' }, registered_country: { iso_code: 'US' } },
  '71.160.223.0/24': { country: { iso_code: 'US' } },
  '1.124.0.0/16': { registered_country: { iso_code: 'AU' } },
  '2001:218::/32': { country: { iso_code: 'JP' } },
};

test('§2-7 fraud: answers for documented addresses, of several files together', async () => {
  for (const recordSize of [24, 28, 32] as const) {
    const { find } = await openNetworks([
      store('country', networkFile(countryRanges, { recordSize })),
      store('anonymous', networkFile(anonymousRanges, { recordSize })),
      store(
        'asn',
        networkFile({
          '1.128.0.0/11': {
            autonomous_system_number: 1221,
            autonomous_system_organization: 'Telstra Pty Ltd',
          },
        }),
      ),
      store('connection', networkFile({ '108.96.0.0/11': { connection_type: 'Cellular' } })),
    ]);
    const kindsOf = (address: string) => find(address)?.kinds;
    assert.deepEqual(kindsOf('1.2.0.1'), ['vpn']);
    assert.deepEqual(kindsOf('1.124.213.1'), ['vpn', 'tor']);
    assert.deepEqual(kindsOf('186.30.236.9'), ['proxy']);
    assert.deepEqual(kindsOf('65.7.255.255'), ['tor']);
    assert.deepEqual(kindsOf('abcd:1000::ffff'), ['proxy']);
    assert.deepEqual(kindsOf('6.1.0.4'), ['proxy']);
    assert.deepEqual(kindsOf('6.1.0.6'), ['anonymous']);
    const hosting = { country: 'US', kinds: ['hosting'], holder: null, connection: null };
    assert.deepEqual(find('71.160.223.45'), hosting);
    assert.deepEqual(find('::ffff:71.160.223.45'), hosting);
    assert.equal(find('81.2.69.160')?.country, 'GB');
    assert.equal(find('202.196.224.1')?.country, 'PH', 'where it is, not where it is registered');
    assert.equal(find('2001:218::9')?.country, 'JP');
    assert.equal(find('1.128.0.1')?.holder, 'Telstra Pty Ltd');
    assert.equal(find('108.96.0.1')?.connection, 'Cellular');
    for (const unknown of ['8.8.8.8', '2a00::1', '81.2.69.192', 'no address'])
      assert.equal(find(unknown), null);
  }
});

test('a private or loopback address is not looked up, nor an IPv6 one in a file of IPv4', async () => {
  const { find } = await openNetworks([store('private', networkFile(anonymousRanges))]);
  for (const address of ['10.1.0.1', '127.0.0.1', '::1', '::ffff:10.1.0.1', 'fd00::1'])
    assert.equal(find(address), null);
  const none = await openNetworks([]);
  assert.equal(none.find('1.2.0.1'), null, 'nothing is guessed without a file');
  const ofIPv4 = networkFile({ '::/1': { country: { iso_code: 'GB' } } }, { metadata: { ip_version: 4 } });
  const { find: findIPv4 } = await openNetworks([store('ipv4', ofIPv4)]);
  assert.deepEqual([findIPv4('45.0.0.1')?.country, findIPv4('2001:218::9')], ['GB', null]);
});

test('what a file says is read as it is only where it has the right shape', async () => {
  const strange = networkFile({
    '45.0.0.0/8': { country: 'GB', is_anonymous: 1, is_tor_exit_node: 'yes', connection_type: true },
    '46.0.0.0/8': { country: { iso_code: '<b>' }, autonomous_system_organization: 'x'.repeat(150) },
    '47.0.0.0/8': 'text',
    '48.0.0.0/8': { country: 'United States', country_code: 'US' },
  });
  const { find } = await openNetworks([store('strange', strange)]);
  assert.equal(find('45.0.0.1'), null);
  assert.deepEqual([find('46.0.0.1')?.country, find('46.0.0.1')?.holder?.length], [null, 100]);
  assert.equal(find('47.0.0.1'), null);
  assert.equal(find('48.0.0.1')?.country, 'US');
});

const RANGE = '45.0.0.0/8';
const right = networkFile(countryRanges);
/** An array of ten pointers, to a place below 2,048. */
const tenTo = (place: number): Buffer =>
  Buffer.concat([
    headOf(11, 10),
    ...Array.from({ length: 10 }, () => Buffer.from([(1 << 5) | (place >> 8), place & 255])),
  ]);
const levels = Array.from({ length: 9 }, (_, level) => tenTo(level === 0 ? 0 : 2 + (level - 1) * 22));
const longText = encode('x'.repeat(20_000));
const manyTo0 = Buffer.concat([headOf(11, 2_000), Buffer.alloc(4_000, Buffer.from([1 << 5, 0]))]);
const deep = Buffer.concat([...Array.from({ length: 5_000 }, () => headOf(11, 1)), encode('end')]);
const broken: Record<string, [Buffer, string]> = {
  nothing: [Buffer.alloc(0), 'is no file of this format'],
  'a text': [Buffer.from('country,GB\n'.repeat(1_000)), 'is no file of this format'],
  'a packed file': [gzipSync(right), 'is no file of this format'],
  'half a file': [right.subarray(0, right.length / 2), 'is no file of this format'],
  'half of its metadata': [right.subarray(0, right.length - 100), 'is cut off'],
  'no metadata': [right.subarray(0, right.lastIndexOf('MaxMind.com') + 11), 'is cut off'],
  'metadata of another kind': [
    Buffer.concat([right.subarray(0, right.lastIndexOf('MaxMind.com') + 11), encode(['a'])]),
    'is no file of this format',
  ],
  'metadata that point to themselves': [
    Buffer.concat([
      right.subarray(0, right.lastIndexOf('MaxMind.com') + 11),
      headOf(7, 1),
      encode('a'),
      Buffer.from([1 << 5, 0]),
    ]),
    'has a record that unfolds to too much',
  ],
  'more nodes than it has': [
    networkFile({ [RANGE]: 'x' }, { metadata: { node_count: 4_000_000 } }),
    'is cut off',
  ],
  'no nodes': [networkFile({ [RANGE]: 'x' }, { metadata: { node_count: 0 } }), 'has no nodes'],
  'nodes in words': [networkFile({ [RANGE]: 'x' }, { metadata: { node_count: 'many' } }), 'has no nodes'],
  'nodes of 25 bits': [
    networkFile({ [RANGE]: 'x' }, { metadata: { record_size: 25 } }),
    'has metadata that do not fit',
  ],
  'a newer version': [
    networkFile({ [RANGE]: 'x' }, { metadata: { binary_format_major_version: 3 } }),
    'has an unknown version of the format',
  ],
  'addresses of another kind': [
    networkFile({ [RANGE]: 'x' }, { metadata: { ip_version: 5 } }),
    'has an unknown version of addresses',
  ],
  'fewer nodes than it has': [
    networkFile({ [RANGE]: 'x' }, { metadata: { node_count: 90 } }),
    'has a node that leads nowhere',
  ],
  'a pointer that leads to itself': [
    networkFile({ [RANGE]: raw(...headOf(11, 1), 1 << 5, 0) }),
    'has a record that unfolds to too much',
  ],
  'a pointer to a pointer': [
    networkFile({ [RANGE]: raw(1 << 5, 0) }, { data: Buffer.from([1 << 5, 0]) }),
    'has a pointer to a pointer',
  ],
  'a pointer out of the file': [networkFile({ [RANGE]: raw((1 << 5) | 7, 255) }), 'is cut off'],
  'few bytes that unfold to many values': [
    networkFile({ [RANGE]: raw(...tenTo(2 + 8 * 22)) }, { data: Buffer.concat([encode('x'), ...levels]) }),
    'has a record that unfolds to too much',
  ],
  'few bytes that unfold to a long text': [
    networkFile({ [RANGE]: raw(...manyTo0) }, { data: longText }),
    'has a record that unfolds to too much',
  ],
  'a value in a value in a value …': [
    networkFile({ [RANGE]: raw(...deep) }),
    'has a record that unfolds to too much',
  ],
  'a map of 16 million': [
    networkFile({ [RANGE]: raw((7 << 5) | 31, 255, 255, 255) }, { data: encode('x') }),
    'is cut off',
  ],
  'a name that is a number': [
    networkFile({ [RANGE]: raw(...headOf(7, 1), ...encode(1), ...encode(1)) }),
    'has a name that is no text',
  ],
  'a list of 16 million': [networkFile({ [RANGE]: raw(31, 4, 255, 255, 255) }), 'is cut off'],
  'a number of 40 bytes': [
    networkFile({ [RANGE]: raw(...headOf(10, 40), ...Buffer.alloc(40)) }),
    'has a value of a wrong size',
  ],
  'a fraction of 2 bytes': [networkFile({ [RANGE]: raw((3 << 5) | 2, 0, 0) }), 'has a value of a wrong size'],
  'a value of no type': [networkFile({ [RANGE]: raw(0, 0) }), 'has a value of an unknown type'],
};

for (const [name, [bytes, reason]] of Object.entries(broken))
  test(`a file of ${name} is refused at the start, in one line and in time`, async () => {
    const begun = performance.now();
    const fault = await faultOf(store('broken', bytes));
    const took = performance.now() - begun;
    assert.deepEqual(fault, [`GEOIP_DB: FILE ${reason}`]);
    assert.ok(took < 5_000, `${took} ms`);
  });

test('a file that is not there, or that is a folder, is refused', async () => {
  assert.deepEqual(await faultOf(join(folder, 'none')), ['GEOIP_DB: FILE can’t be read (ENOENT)']);
  assert.deepEqual(await faultOf(folder), ['GEOIP_DB: FILE is no file']);
});

test('any byte of a file may be wrong: it is refused, or each look-up is answered', async () => {
  const small = networkFile({ '45.0.0.0/8': { country: { iso_code: 'GB' } }, '46.1.0.0/16': anonymous });
  for (let at = 0; at < small.length; at += 1)
    for (const flipped of [1, 128]) {
      const bytes = Buffer.from(small);
      bytes[at] = (bytes[at] ?? 0) ^ flipped;
      const { find } = await openNetworks([store('flipped', bytes)]).catch((error: unknown) => {
        assert.ok(error instanceof ConfigFault, `${at} ${flipped}: ${error}`);
        return { find: () => null };
      });
      for (const address of ['45.0.0.1', '46.1.2.3', '2001:218::1'])
        assert.doesNotThrow(() => find(address), `${at} ${flipped}`);
    }
});
