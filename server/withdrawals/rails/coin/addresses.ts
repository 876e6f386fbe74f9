import type { AddressFault } from '#contract/address-faults.ts';
import { type AddressVersions, type CodeFacts, judgeAddress } from '#contract/destination-code.ts';
import type { Config } from '#platform/config.ts';
import { addressDestination } from '../address-destination.ts';
import type { Destination } from '../rail.ts';

/** A coin's address as a destination, by the rule that the form of members has, too. */
export type CoinNetwork = 'main' | 'test' | 'regtest';

type AddressFacts = {
  name: string;
  /** The pattern of main-network addresses, for a hint. */
  pattern: string;
  versions: Readonly<Record<CoinNetwork, AddressVersions>>;
  /** The first characters of payable addresses, for a refusal. */
  beginnings: Readonly<Record<CoinNetwork, readonly string[]>>;
  unpayable?: CodeFacts['unpayable'];
  networkOf: (config: Config) => CoinNetwork;
};

export function coinDestination(facts: AddressFacts): Destination {
  const code = (config: Config) => codeFacts(facts, facts.networkOf(config));
  const destination = addressDestination(
    facts.name,
    { kind: 'code', pattern: facts.pattern },
    (address, config) => {
      const judged = judgeAddress(address, code(config));
      if (judged.state === 'right') return judged.address;
      const fault: AddressFault = judged.state === 'wrong' ? judged.fault : 'mistyped';
      return { fault, beginnings: code(config).beginnings };
    },
  );
  return { ...destination, code };
}

/** The test networks share versions, so only a site on the main network knows an address of another network. */
const codeFacts = (
  { versions, beginnings, unpayable = [] }: AddressFacts,
  network: CoinNetwork,
): CodeFacts => ({
  versions: versions[network],
  foreignVersions: network === 'main' ? [versions.test, versions.regtest] : [],
  beginnings: beginnings[network],
  unpayable,
});
