import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PANEL_PATH } from './navigation.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { OperatorFrame } from './operator-frame.tsx';
import styles from './operator-no-screen-page.module.css';

/**
 * An address below the panel's that no screen has. For an operator the rail stays, to go on from here; others see what
 * they see at every other unknown address.
 */
export function NoScreenPage() {
  const session = useSession();
  if (session.isPending) return null;
  if (session.data?.role !== 'admin') return <NotFoundPage />;
  return (
    <OperatorFrame>
      <NoScreen />
    </OperatorFrame>
  );
}

function NoScreen() {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <h1>{t('titles.notFound')}</h1>
      <EmptyState
        title={t('panel.noScreen.title')}
        text={t('panel.noScreen.text')}
        action={
          <Button component={Link} to={PANEL_PATH}>
            {t('panel.noScreen.open')}
          </Button>
        }
      />
    </main>
  );
}
