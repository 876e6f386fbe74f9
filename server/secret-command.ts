import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { sealedProviderSecrets } from './earning/provider-settings.ts';
import { recordActs } from './platform/audit-trail.ts';
import type { Reader } from './platform/database.ts';
import {
  type Rotation,
  reseal,
  SECRET_CHECK,
  type SealedPlace,
  sealedCheck,
} from './platform/secret-rotation.ts';
import { secretsOf } from './platform/secrets.ts';
import { sealedCompanyCredentials } from './wallets/wallets.ts';
import { sealedCredentials } from './withdrawals/payment-methods.ts';

/** The command `rotate-secret`. */

/** Reads all places with stored secrets, as the owner. What they replace is replaced by the same reader. */
export const readSealed = async (owner: Reader): Promise<SealedPlace[]> => [
  ...(await sealedProviderSecrets(owner)),
  ...(await sealedCredentials(owner)),
  ...(await sealedCompanyCredentials(owner)),
  ...(await sealedCheck(owner)),
];

/** Seals all stored secrets anew, in one transaction with its act. Exits 1 if one does not open with either secret. */
export async function rotateSecret({ config, owner }: Opened): Promise<number> {
  const secrets = secretsOf(config);
  const rotation = await owner.transaction(async (tx) => {
    const places = await readSealed(tx);
    const done = await reseal(secrets, places);
    const after = { key: secrets.keyId, resealedCount: done.resealedCount };
    const target = { kind: 'secret', id: 'APP_SECRET' } as const;
    if (done.resealedCount > 0)
      await recordActs(tx, [{ actor: 'command-line', act: 'secret.rotate', target, after }]);
    return { ...done, count: places.length };
  });
  sayRotation(rotation);
  return rotation.unreadable.length === 0 ? 0 : 1;
}

function sayRotation({ resealedCount, currentCount, unreadable, count }: Rotation & { count: number }): void {
  print(`${resealedCount} secrets were sealed anew. ${currentCount} of ${count} are sealed with APP_SECRET.`);
  for (const place of unreadable)
    print(
      place === SECRET_CHECK
        ? 'Neither secret is the one that this database is used with. Give that one.'
        : `Neither secret opens ${place}. Set it again in the back office.`,
    );
  if (resealedCount > 0) print('Run this again when every node runs with the new APP_SECRET.');
  else if (unreadable.length === 0)
    print('If every node runs with this APP_SECRET, APP_SECRET_FORMER can go.');
}
