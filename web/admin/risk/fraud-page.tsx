import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readBlocks } from '#contract/risk.ts';
import { readActivities } from '#contract/risk-signals.ts';
import { OperatorPage } from '#web/admin/kit/operator-page.tsx';
import { countOf, PageTabs } from '#web/admin/kit/page-tabs.tsx';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';
import { type FraudSearch, type FraudTab, fraudTabs } from '#web/client/fraud-search.ts';
import { ActivityTable } from './activity-table.tsx';
import { BlockForm } from './block-form.tsx';
import { BlockTable } from './block-table.tsx';
import { FraudFigures, figureText, useFraudStats } from './fraud-figures.tsx';
import { RuleTable } from './rule-table.tsx';
import { SessionTable } from './session-table.tsx';

/** What the rules found, what operators block, and which rules are on. The tab is in the URL. */

const POLL_MS = 30_000;

export function FraudPage() {
  const { t } = useTranslation();
  const { tab = 'activity' } = useSearch({ strict: false }) as FraudSearch;
  return (
    <OperatorPage
      label={t(`fraud.tabs.${tab}`)}
      head={
        <>
          <h1>{t('fraud.title')}</h1>
          <FraudFigures />
          <FraudTabs current={tab} />
        </>
      }
    >
      {tab === 'activity' && <ActivityTable />}
      {tab === 'sessions' && <SessionTable />}
      {tab === 'rules' && <RuleTable />}
      {(tab === 'ip' || tab === 'domain') && (
        <>
          <BlockForm key={tab} kind={tab} />
          <BlockTable key={`${tab} list`} kind={tab} />
        </>
      )}
    </OperatorPage>
  );
}

function FraudTabs({ current }: { current: FraudTab }) {
  const { t } = useTranslation();
  const { data: stats } = useFraudStats();
  const counts = {
    activity: countOf(useFirstRow(readActivities, {}, POLL_MS)),
    sessions: stats && figureText(stats.highRiskSessions),
    ip: countOf(useFirstRow(readBlocks, { kind: 'ip', state: 'active' }, POLL_MS)),
    domain: countOf(useFirstRow(readBlocks, { kind: 'domain', state: 'active' }, POLL_MS)),
    rules: null,
  };
  return (
    <PageTabs
      label={t('fraud.title')}
      path="/management-panel-x7k9w/fraud"
      tabs={fraudTabs.map((tab) => ({
        name: tab,
        label: t(`fraud.tabs.${tab}`),
        count: counts[tab],
        search: tab === 'activity' ? {} : { tab },
      }))}
      current={current}
      keys={{ title: t('fraud.keys.title'), line: t('fraud.keys.tab') }}
    />
  );
}
