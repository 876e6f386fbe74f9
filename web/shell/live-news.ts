import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDailyBonus } from '#contract/bonus.ts';
import { readActivity, readChargebacks } from '#contract/earning.ts';
import {
  type HistoryEntry,
  readEarningsChart,
  readHistory,
  readStats,
  type Stats,
} from '#contract/ledger.ts';
import { readReferralStats, readReferrals } from '#contract/referrals.ts';
import { readWithdrawals } from '#contract/withdrawals.ts';
import { splitDescription } from '#web/ledger/describe.ts';
import { formatAmount } from '#web/ui/format.ts';
import { toast } from '#web/ui/toast.tsx';
import { call } from './api.ts';
import { isNewsHeld, whenNewsIsFree } from './held-news.ts';
import { openSocket } from './socket.ts';
import { keyOf } from './use-call.ts';

/**
 * Keeps the member's figures true while they look: pushed over the live connection, and asked for every ten seconds
 * while there is none. What newly arrived is also said once, as a toast.
 */

const POLL_MS = 10_000;
const newest = { query: { page: '1', limit: '5' } };

async function refresh(client: QueryClient): Promise<void> {
  const lists = [
    readStats,
    readEarningsChart,
    readActivity,
    readHistory,
    readChargebacks,
    readWithdrawals,
    readDailyBonus,
    readReferralStats,
    readReferrals,
  ];
  await Promise.all(lists.map((endpoint) => client.invalidateQueries({ queryKey: keyOf(endpoint) })));
}

/** Takes a pushed balance at once, so that the figure moves before the lists are back. */
function takeBalance(client: QueryClient, balance: string): void {
  client.setQueryData<Stats>(keyOf(readStats, {}), (before) => (before ? { ...before, balance } : before));
}

async function newestEntries(): Promise<HistoryEntry[]> {
  return (await call(readHistory, newest)).data;
}

/** Runs the live connection for as long as the member's screens stand. Returns whether it is up. */
export function useLiveNews(): boolean {
  const client = useQueryClient();
  const { t } = useTranslation();
  const [isConnected, setConnected] = useState(false);

  useEffect(() => {
    let seen: Set<string> | null = null;
    const announce = async () => {
      const entries = await newestEntries();
      client.setQueryData(keyOf(readHistory, newest), (before: { data: HistoryEntry[] } | undefined) =>
        before ? { ...before, data: entries } : before,
      );
      const known = seen;
      seen = new Set(entries.map((entry) => entry.id));
      if (known === null) return;
      for (const entry of entries.filter((row) => !known.has(row.id)).reverse()) {
        const amount = formatAmount(entry.amount);
        if (entry.kind === 'earning')
          toast.ok(t('news.credited', { amount, provider: splitDescription(entry).provider }));
        if (entry.kind === 'referral') toast.ok(t('referrals.news', { amount }));
      }
    };
    // A failed look is not worth a word here: the lists on the screen say so themselves.
    const look = () => void Promise.all([announce(), refresh(client)]).catch(() => setConnected(false));

    return openSocket({
      onOpen: () => {
        setConnected(true);
        look();
      },
      onClose: () => setConnected(false),
      onEvent: (event) => {
        if (event.type !== 'balance') return;
        whenNewsIsFree(() => {
          takeBalance(client, event.balance);
          look();
        });
      },
    });
  }, [client, t]);

  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(() => {
      if (!isNewsHeld()) void refresh(client);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, isConnected]);

  return isConnected;
}
