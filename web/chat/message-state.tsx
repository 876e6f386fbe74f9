import { IconAlertTriangle, IconClock, IconVolumeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { unmuteMember } from '#contract/chat.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './message-state.module.css';
import { type BoxAddress, type Outgoing, removeOutgoing, sendAgain } from './outbox.ts';

/** What is said under a message that the server does not have yet. */
export function OutgoingState({ address, outgoing }: { address: BoxAddress; outgoing: Outgoing }) {
  const { t } = useTranslation();
  if (outgoing.state !== 'failed') {
    return (
      <p className={styles.state}>
        <IconClock size={14} stroke={2} aria-hidden="true" />
        {t(`chat.${outgoing.state}`)}
      </p>
    );
  }
  return (
    <p className={styles.state} data-bad role="alert">
      <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />
      {t('chat.notSent')}
      <button type="button" onClick={() => sendAgain(address, outgoing.clientId)}>
        {t('chat.tryAgain')}
      </button>
      <button type="button" onClick={() => removeOutgoing(address, outgoing.clientId)}>
        {t('chat.remove')}
      </button>
    </p>
  );
}

type MutedProps = { userId: string; firstName: string; count: number };

/** Stands in the place of the messages of a member whom the reader muted. */
export function MutedLine({ userId, firstName, count }: MutedProps) {
  const { t } = useTranslation();
  const unmuting = useAct(unmuteMember);
  const unmute = () =>
    unmuting.mutate(
      { params: { userId } },
      { onError: ({ code }) => toast.bad(t(`refusals.${code}`), t('chat.failed')) },
    );
  return (
    <p className={`${styles.state} ${styles.muted}`} role="status">
      <IconVolumeOff size={14} stroke={2} aria-hidden="true" />
      <span dir="auto">{t('chat.muted', { name: firstName, count })}</span>
      <button type="button" onClick={unmute}>
        {t('chat.unmute')}
      </button>
    </p>
  );
}
