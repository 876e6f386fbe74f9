import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type HistoryEntry, readHistory } from '#contract/ledger.ts';
import { call } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { keyOf } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const newest = { query: { page: '1', limit: '5' } };

/**
 * Returns a function that fetches the newest history rows and shows a toast for each new credit. The first fetch shows
 * none.
 */
export function useCreditNews(): () => Promise<void> {
  const client = useQueryClient();
  const { t } = useTranslation();
  const known = useRef<Set<string> | null>(null);
  return useCallback(async () => {
    const entries = (await call(readHistory, newest)).data;
    client.setQueryData(keyOf(readHistory, newest), (before: { data: HistoryEntry[] } | undefined) =>
      before ? { ...before, data: entries } : before,
    );
    const before = known.current;
    known.current = new Set(entries.map((entry) => entry.id));
    if (before === null) return;
    for (const entry of entries.filter((row) => !before.has(row.id)).reverse()) {
      const amount = formatAmount(entry.amount);
      if (entry.kind === 'earning')
        toast.ok(t('news.credited', { amount, provider: entry.sourceName ?? '' }));
      if (entry.kind === 'referral') toast.ok(t('news.referral', { amount }));
    }
  }, [client, t]);
}
