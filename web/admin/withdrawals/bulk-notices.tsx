import { Button, Group } from '@mantine/core';
import { IconChecklist, IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuedWithdrawal } from '#contract/withdrawals.ts';
import { type BulkActRow, readBulkActs } from '#contract/withdrawals-bulk.ts';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { useBegunAct } from './bulk-acts.tsx';
import { useSeenActs } from './use-seen-acts.ts';

/**
 * Acts on many requests that this operator began and did not see the end of: the page was closed or the dialog was.
 * Which results were seen is kept in the browser.
 */

const POLL_MS = 3_000;
const LISTED = 5;
const DAY_MS = 24 * 3_600_000;

type Shown = { act: BulkAct<QueuedWithdrawal> | null; close: () => void };

export function useBulkNotices(): { notices: ListNotice[]; shown: Shown } {
  const { t, i18n } = useTranslation();
  const query = { operatorId: useMember().id, limit: String(LISTED) };
  const { data: acts = [] } = useRead(readBulkActs, { query }, { refetchInterval: POLL_MS });
  const { seen, see } = useSeenActs();
  const [shownAct, setShownAct] = useState<BulkActRow | null>(null);
  const begunAct = useBegunAct();
  const isOpen = ({ id, finishedAt }: BulkActRow) =>
    !seen.includes(id) && (finishedAt === null || Date.now() - Date.parse(finishedAt) < DAY_MS);
  const time = (iso: string) => formatTime(iso, i18n.language);

  const noticeOf = (act: BulkActRow): ListNotice => {
    const { id, decision, count, endedCount, createdAt, finishedAt } = act;
    const isRunning = finishedAt === null;
    const content = (close: () => void) => (
      <>
        <p>
          {isRunning
            ? t('queue.bulk.since', { time: time(createdAt) })
            : t('queue.bulk.endedAt', { time: time(finishedAt) })}
        </p>
        <Group mt="sm" gap="sm">
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              close();
              setShownAct(act);
            }}
          >
            {t(isRunning ? 'queue.bulk.showRunning' : 'queue.bulk.show')}
          </Button>
          {!isRunning && (
            <Button variant="subtle" size="sm" onClick={() => see(id)}>
              {t('queue.bulk.forget')}
            </Button>
          )}
        </Group>
      </>
    );
    return {
      key: `bulk-${id}`,
      title: isRunning
        ? t(`queue.bulk.running.${decision}`, { count, done: endedCount })
        : t(`queue.bulk.finished.${decision}`, { count }),
      icon: isRunning ? IconHourglass : IconChecklist,
      content,
    };
  };
  return {
    notices: acts.filter(isOpen).map(noticeOf),
    shown: {
      act: shownAct === null ? null : begunAct(shownAct),
      close: () => setShownAct(null),
    },
  };
}
