import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OperatorPage } from '#web/admin/kit/operator-page.tsx';
import type { SupportTab } from '#web/client/support-search.ts';
import styles from './desk.module.css';
import { DeskTabs } from './desk-tabs.tsx';

type DeskPageProps = {
  tab: SupportTab;
  /** Beside the title. */
  tools?: ReactNode;
  totals?: ReactNode;
  children: ReactNode;
};

/** A tab of the support desk that is no list. */
export function DeskPage({ tab, tools, totals, children }: DeskPageProps) {
  const { t } = useTranslation();
  return (
    <OperatorPage
      isRuled={totals === undefined}
      label={t(`tickets.tabs.${tab}`)}
      head={
        <>
          <div className={styles.title}>
            <h1>{t('tickets.title')}</h1>
            <DeskTabs current={tab} />
            {tools}
          </div>
          {totals}
        </>
      }
    >
      {children}
    </OperatorPage>
  );
}
