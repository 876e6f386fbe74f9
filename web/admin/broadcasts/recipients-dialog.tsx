import { useTranslation } from 'react-i18next';
import { readNotificationUsers } from '#contract/broadcasts.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import styles from './broadcasts.module.css';
import { counted } from './counted.ts';

type RecipientsDialogProps = { isOpen: boolean; recipients: number; onClose: () => void };

const SHOWN_MAX = 100;

/** The newest members who get a broadcast now, and a file with all of them. */
export function RecipientsDialog({ isOpen, recipients, onClose }: RecipientsDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('broadcast.recipients.title')} width={560}>
      {isOpen && <Recipients />}
      {recipients > SHOWN_MAX && (
        <p className={styles.note}>
          {t('broadcast.recipients.more', counted(recipients - SHOWN_MAX))}{' '}
          <a className="link" href={`${readNotificationUsers.path}?format=csv`} download>
            {t('broadcast.recipients.file')}
          </a>
        </p>
      )}
    </Dialog>
  );
}

function Recipients() {
  const { t } = useTranslation();
  const read = useRead(readNotificationUsers, { query: { limit: SHOWN_MAX } });
  if (read.data === undefined) return <ReadState read={read} rows={6} />;
  if (read.data.length === 0) return <p className={styles.note}>{t('broadcast.recipients.none')}</p>;
  return (
    <ul className={styles.people}>
      {read.data.map((member) => (
        <li key={member.email}>
          <b>{fullNameOf(member)}</b> <span className="dim">{member.email}</span>
        </li>
      ))}
    </ul>
  );
}
