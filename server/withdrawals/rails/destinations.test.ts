import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAddressFault } from '#contract/address-faults.ts';
import { readConfig } from '#platform/config.ts';
import { environmentOf } from '../../../test/withdrawals-world.ts';
import type { CoinNetwork } from './coin/addresses.ts';
import { findDefinition } from './registry.ts';

const config = readConfig(environmentOf('http://127.0.0.1/', '/nowhere'));

type Networks = { litecoin: CoinNetwork; dash: CoinNetwork };

/** The canonical form of an address for a rail on these networks; undefined if it is refused. */
function payoutAddress(method: string, address: string, { litecoin, dash }: Networks): string | undefined {
  const destination = findDefinition(method)?.destination;
  assert(destination);
  const networks = { ...config, litecoinNetwork: litecoin, dashNetwork: dash };
  const outcome = destination.canonical({ address }, networks);
  return outcome.kind === 'canonical' ? outcome.text : undefined;
}

/** Addresses of the 20-byte hash 751e76e8199196d454941c45d1b3a323f1433bd6. Its Bitcoin addresses are from BIP 173. */
const addresses = {
  litecoin: {
    main: [
      'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ',
      'MJaRnao1s62a2zAKSkmG582KbLKianqb7v',
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
      'ltc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqpj6zg2',
    ],
    test: [
      'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r',
      'QXHFfTBKYXjaaTH1e7Rox8CcdNPGHVhM59',
      'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
    ],
    regtest: ['rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3'],
  },
  dash: {
    main: ['XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE', '7d5vJtfDixGnEFRNcVSRarmaCBZeScHACn'],
    test: ['yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6', '8q6jGDZ5rVfQgYqdgkSP3Eaw5hLUXD8Nyi'],
    regtest: [],
  },
} as const;

/** Regtest has the base58 versions of the test network, so only bech32 addresses differ. */
const sharedForms = new Set<string>([...addresses.litecoin.test.slice(0, 2), ...addresses.dash.test]);

function accepts(method: string, network: CoinNetwork, address: string): boolean {
  return payoutAddress(method, address, { litecoin: network, dash: network }) === address;
}

test('accepts an address for exactly its coin and its network', () => {
  for (const [coin, networks] of Object.entries(addresses)) {
    for (const [network, list] of Object.entries(networks)) {
      for (const address of list) {
        for (const method of ['litecoin', 'dash'] as const) {
          for (const other of ['main', 'test', 'regtest'] as const) {
            const isShared = sharedForms.has(address) && other === 'regtest';
            const isRight = method === coin && (other === network || isShared);
            assert.equal(accepts(method, other, address), isRight, `${address} as ${method} ${other}`);
          }
        }
        assert(!accepts('paypal', 'main', address));
      }
    }
  }
});

/** An MWEB address made by litecoind, without its human-readable part. */
const MWEB =
  'qqtphq6rau63wyj0x860qtavtjh90dpxnjpxw2jyvwvja5vgaw5yejqanw9qms3t57gv870kgypca' +
  'x0kpk3qsrp3yqujnkcfp34m9hz7q8swhzq9t';

test('refuses ambiguous, foreign, damaged and disguised addresses', () => {
  const refused = [
    '3CNHUhP3uyB9EUtRLsmvFUmvGdjGdkTxJw',
    '2N3vVYSK5XRgVSGWy21PnsRmBUywSQNdCsf',
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    `ltcmweb1${MWEB}`,
    `tmweb1${MWEB}`,
    'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnK',
    'lVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n8',
    'ltc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    ' ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9\n',
    'litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'ltc1',
    'X',
    '-1qqqq',
    '',
    'L'.repeat(254),
  ];
  for (const address of refused) {
    for (const method of ['litecoin', 'dash', 'paypal'] as const) {
      for (const network of ['main', 'test', 'regtest'] as const) {
        assert.equal(
          payoutAddress(method, address, { litecoin: network, dash: network }),
          undefined,
          address,
        );
      }
    }
  }
});

test('says what to ask the wallet for, by what was given', () => {
  const long =
    'ltcmweb1qqf8yfdrn2gtsz5yzplypyz3jeg2dw9kdfzylz6yqhgndpj9ktnnrsqjrhsev9hdxw4uhvk2l39a9nz7q0xqvg8mcn8hh7w2tqz2v9';
  const cases: [method: string, address: string, network: CoinNetwork, said: RegExp][] = [
    [
      'litecoin',
      '3H9836PmP4NmwMiVpdqQSppLwDZ8FTwh7f',
      'main',
      /^Addresses that begin with 3 can’t be told from Bitcoin’s\. Ask .* begins with M, L or ltc1\.$/,
    ],
    ['litecoin', '3H9836PmP4NmwMiVpdqQSppLwDZ8FTwh7f', 'regtest', /begins with m, n, Q or rltc1\.$/],
    ['litecoin', long, 'main', /^Private \(MWEB\) addresses can’t be paid\. .* M, L or ltc1\.$/],
    ['litecoin', long.toUpperCase(), 'main', /^Private/],
    [
      'litecoin',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'main',
      /another coin\. .* a Litecoin address/,
    ],
    ['litecoin', '0x52908400098527886E0F7030069857D2E4169EE7', 'main', /another coin/],
    ['litecoin', 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0', 'main', /a test network/],
    ['litecoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n8', 'main', /wrong or missing/],
    ['litecoin', 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUn', 'main', /wrong or missing/],
    ['litecoin', 'litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'main', /^Enter the address alone/],
    ['litecoin', 'my wallet', 'main', /^Enter the address alone/],
    ['dash', '3H9836PmP4NmwMiVpdqQSppLwDZ8FTwh7f', 'main', /another coin\. .* begins with X or 7\.$/],
    ['dash', 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6', 'main', /a test network\. .* begins with X or 7\.$/],
    ['dash', 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekF', 'main', /this Dash address is wrong or missing/],
    ['dash', 'hello', 'test', /^This is no Dash address\. .* begins with y or 8\.$/],
    ['paypal', 'paypal.me/jane', 'main', /^PayPal pays to an e-mail address/],
  ];
  for (const [method, address, network, said] of cases) {
    const destination = findDefinition(method)?.destination;
    const networks = { ...config, litecoinNetwork: network, dashNetwork: network };
    const outcome = destination?.canonical({ address }, networks);
    assert(outcome?.kind === 'refused', address);
    assert.match(outcome.reason, said, address);
    assert.doesNotMatch(outcome.reason, /[{}]/);
    assert(isAddressFault(outcome.facts?.fault));
  }
});

test('converts an all-capital bech32 address to lower case', () => {
  const networks = { litecoin: 'main', dash: 'main' } as const;
  assert.equal(
    payoutAddress('litecoin', 'LTC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KGMN4N9', networks),
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  );
});

test('accepts an e-mail address for PayPal', () => {
  assert(accepts('paypal', 'main', 'jane@example.com'));
  // Lower case makes one text of a mailbox, so that two accounts with the same mailbox are found.
  assert.equal(
    payoutAddress('paypal', 'Jane@Example.COM', { litecoin: 'main', dash: 'main' }),
    'jane@example.com',
  );
  for (const address of ['jane', 'jane@', '@example.com', 'jane@example', 'a b@example.com']) {
    assert(!accepts('paypal', 'main', address), address);
  }
});
