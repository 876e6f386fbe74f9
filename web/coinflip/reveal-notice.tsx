import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRotation } from './use-rotation.ts';
import styles from './verify-page.module.css';

/** Explains that the chosen game can't be checked while its server seed is in use, and offers to reveal the seed. */
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
