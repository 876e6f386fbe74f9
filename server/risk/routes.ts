import * as contract from '#contract/risk-households.ts';
import { memberKey } from '#platform/http/admission.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import {
  enteredCodes,
  enteredCodesOfSource,
  joinHousehold,
  leaveWithin,
  makeCode,
  readHousehold,
} from './households.ts';
import type { KeptHouseholds } from './kept-households.ts';

/** HTTP for members: their household. */
export function riskRoutes(platform: Platform, kept: KeptHouseholds): void {
  const { database } = platform;
  handle(platform, contract.readHousehold, ({ caller }) => readHousehold(database, caller.id));
  handle(platform, contract.makeHouseholdCode, async ({ caller }) => {
    const own = await makeCode(platform, caller.id);
    kept.add(caller.id);
    return own;
  });
  handle(
    platform,
    contract.joinHousehold,
    async ({ caller, body }) => {
      const joined = await joinHousehold(platform, caller.id, body.code);
      kept.add(caller.id);
      return joined;
    },
    {
      limits: [
        { limit: enteredCodes, by: ({ caller }) => memberKey(caller.id) },
        { limit: enteredCodesOfSource, by: ({ ip }) => ip },
      ],
    },
  );
  handle(platform, contract.leaveHousehold, async ({ caller }) => {
    await database.transaction((tx) => leaveWithin(tx, caller.id));
    return null;
  });
}
