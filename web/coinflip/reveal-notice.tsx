import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRotation } from './use-rotation.ts';
import styles from './verify-page.module.css';

/** The seed of the chosen game is still in use: why it can't be checked yet, and the way to have it revealed. */
export function RevealNotice() {
  const { t } = useTranslation();
  const { rotate, isPending } = useRotation();
  return (
    <div className={styles.notice} role="note">
      <p>{t('coinflip.verify.sealed')}</p>
      <Button size="sm" loading={isPending} onClick={() => rotate(undefined)}>
        {t('coinflip.rotate')}
      </Button>
    </div>
  );
}
