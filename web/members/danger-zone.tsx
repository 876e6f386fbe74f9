import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPasswordState } from '#contract/access-credentials.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './settings-page.module.css';

const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then((file) => ({ default: file.DeleteDialog })),
);

/** Deletes the account. If it can't be deleted, the button is disabled and the reason is beside it. */
export function DangerZone() {
  const { t } = useTranslation();
  const member = useMember();
  const password = useRead(readPasswordState);
  const [isOpen, setOpen] = useState(false);
  const [wasWanted, setWanted] = useState(false);
  const findObstacle = () => {
    if (member.role === 'admin') return t('settings.danger.operator');
    return password.data?.isSet === false ? t('settings.danger.noPassword') : null;
  };
  const obstacle = findObstacle();
  return (
    <section className={`card ${styles.block} ${styles.beside}`} aria-labelledby="danger">
      <div>
        <h2 id="danger">{t('settings.danger.title')}</h2>
        <p className={`small dim ${styles.headText}`} id="danger-text">
          {obstacle ?? t('settings.danger.lead')}
        </p>
      </div>
      <Button
        variant="outline"
        color="brick"
        disabled={obstacle !== null}
        aria-describedby="danger-text"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        {t('settings.danger.button')}
      </Button>
      {wasWanted && (
        <Suspense>
          <DeleteDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
