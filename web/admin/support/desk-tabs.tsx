import { useTranslation } from 'react-i18next';
import { PageTabs } from '#web/admin/kit/page-tabs.tsx';
import { formatPoints } from '#web/client/format.ts';
import { type SupportTab, supportTabs } from '#web/client/support-search.ts';
import styles from './desk.module.css';
import { useTicketFigures } from './use-ticket-figures.tsx';

/** The tabs of the support desk: tickets, with the number of those that wait, and broadcast e-mail. */
export function DeskTabs({ current }: { current: SupportTab }) {
  const { t } = useTranslation();
  const { data: figures } = useTicketFigures();
  const counts = { tickets: figures && formatPoints(figures.waiting), broadcast: null };
  return (
    <PageTabs
      label={t('tickets.tabs.label')}
      path="/management-panel-x7k9w/support"
      tabs={supportTabs.map((tab) => ({
        name: tab,
        label: t(`tickets.tabs.${tab}`),
        count: counts[tab],
        search: tab === 'tickets' ? {} : { tab },
      }))}
      current={current}
      className={styles.tabs}
    />
  );
}
