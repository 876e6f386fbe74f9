import { ActionIcon, Modal } from '@mantine/core';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BalancePill } from '#web/ui/balance-pill.tsx';
import { FocusReturn } from '#web/ui/focus-return.tsx';
import { useProviderNames } from './provider-names.ts';
import styles from './wall-dialog.module.css';
import { WallFrame } from './wall-frame.tsx';
import { WallGoal } from './wall-goal.tsx';

type WallDialogProps = {
  /** The provider of the open wall; null if none is open. */
  id: string | null;
  onClose: () => void;
};

/** A provider's wall in a full-screen dialog with the site's own bar: close, progress to the next goal, balance. */
export function WallDialog({ id, onClose }: WallDialogProps) {
  const { t } = useTranslation();
  const nameOf = useProviderNames();
  const name = (id === null ? undefined : nameOf(id)) ?? t('earn.otherProvider');
  return (
    <Modal.Root opened={id !== null} onClose={onClose} returnFocus={false} fullScreen closeOnEscape>
      <Modal.Content radius={0} aria-label={name}>
        <FocusReturn isOpen={id !== null} />
        {id !== null && <Wall key={id} id={id} name={name} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  );
}

function Wall({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const tryAgain = () => setAttempt(attempt + 1);
  return (
    <div className={styles.dialog} data-wall>
      <div className={styles.bar}>
        <ActionIcon
          className={styles.close}
          size={44}
          data-autofocus
          onClick={onClose}
          aria-label={t('earn.dialog.close', { provider: name })}
        >
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
        <Modal.Title className={styles.name}>{name}</Modal.Title>
        <WallGoal />
        {/* The page can't detect an error inside the frame, so the button is always shown. */}
        <ActionIcon
          className={styles.again}
          size={44}
          onClick={tryAgain}
          aria-label={t('earn.dialog.again', { provider: name })}
        >
          <IconRefresh size={20} stroke={1.75} />
        </ActionIcon>
        <BalancePill />
      </div>
      <WallFrame id={id} name={name} attempt={attempt} onTryAgain={tryAgain} onClose={onClose} />
    </div>
  );
}
