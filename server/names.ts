import { readProviderNames } from './earning/provider-settings.ts';
import { keepNames, type ReadNames } from './ledger/ledger.ts';
import type { Platform } from './platform/platform.ts';
import { methodNames } from './withdrawals/payment-methods.ts';

/** Reads the names in the ledger's descriptions. The ledger imports neither feature that knows them. */
export const namesReader = ({ database, log }: Pick<Platform, 'database' | 'log'>): ReadNames =>
  keepNames(async () => ({ providers: await readProviderNames(database), methods: methodNames }), log);
