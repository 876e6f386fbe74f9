import * as wallets from '#contract/wallets.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readWalletBalances } from './balances.ts';
import { readNowpayments, readPaypal, saveNowpayments, savePaypal, testCompany } from './wallets.ts';

/** HTTP for operators: the site's accounts at companies that pay. */
export function walletsAdminRoutes(platform: Platform): void {
  handle(platform, wallets.readPaypalWallet, () => readPaypal(platform));
  handle(platform, wallets.savePaypalWallet, ({ body, caller }) => savePaypal(platform, body, caller.id));
  handle(platform, wallets.testPaypalWallet, ({ body, caller }) =>
    testCompany(platform, 'paypal', body, caller.id),
  );
  handle(platform, wallets.readNowpaymentsWallet, () => readNowpayments(platform));
  handle(platform, wallets.saveNowpaymentsWallet, ({ body, caller }) =>
    saveNowpayments(platform, body, caller.id),
  );
  handle(platform, wallets.testNowpaymentsWallet, ({ body, caller }) =>
    testCompany(platform, 'nowpayments', body, caller.id),
  );
  handle(platform, wallets.readWalletBalances, () => readWalletBalances(platform));
}
