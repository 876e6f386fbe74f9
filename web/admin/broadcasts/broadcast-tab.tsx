import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readBroadcasts, readRecipientCounts } from '#contract/broadcasts.ts';
import { useRead } from '#web/client/use-call.ts';
import { BroadcastCard } from './broadcast-card.tsx';
import { BroadcastFields } from './broadcast-fields.tsx';
import { BroadcastPreviews } from './broadcast-previews.tsx';
import styles from './broadcasts.module.css';
import { CountCard } from './count-card.tsx';
import { SendDialog } from './send-dialog.tsx';
import { useBroadcastForm } from './use-broadcast-form.ts';

/** Broadcast e-mail: written in both languages beside the count of its recipients, then watched while it is sent. */

const COUNTED_EVERY_MS = 60_000;
const LISTED_EVERY_MS = 10_000;
/** The broadcasts that are shown beside the form. */
const SHOWN = 4;

export function BroadcastTab() {
  const { t } = useTranslation();
  const counts = useRead(readRecipientCounts, undefined, { refetchInterval: COUNTED_EVERY_MS });
  const list = useRead(readBroadcasts, { query: { limit: SHOWN } }, { refetchInterval: LISTED_EVERY_MS });
  const [isSending, setSending] = useState(false);
  const aside = useRef<HTMLElement>(null);
  const form = useBroadcastForm(() => setSending(true));
  return (
    <div className={styles.layout}>
      <div className={styles.main}>
        <BroadcastFields form={form} recipients={counts.data?.recipients} />
        <BroadcastPreviews draft={form.draft} />
      </div>
      <aside className={styles.aside} ref={aside} aria-label={t('broadcast.aside')}>
        <CountCard counts={counts} />
        {list.data?.map((row) => (
          <BroadcastCard key={row.id} row={row} />
        ))}
      </aside>
      <SendDialog
        isOpen={isSending}
        draft={form.draft}
        counts={counts.data}
        onClose={() => setSending(false)}
        onRefused={form.refuse}
        onBegun={() => {
          setSending(false);
          form.clear();
          aside.current?.scrollIntoView({ block: 'nearest' });
        }}
      />
    </div>
  );
}
