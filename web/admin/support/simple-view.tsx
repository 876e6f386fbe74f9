import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type OperatorTicket, readSimpleTicketQueue } from '#contract/support.ts';
import { ListTotals } from '#web/admin/kit/list-totals.tsx';
import { type OperatorListState, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { useShownTotals } from '#web/admin/kit/use-shown-totals.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageBeyond } from '#web/ui/page-beyond.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import styles from './desk.module.css';
import { DeskPage } from './desk-page.tsx';
import type { Drafts } from './drafts.ts';
import { SimpleCard } from './simple-card.tsx';
import { useTicketTotals } from './use-ticket-figures.tsx';
import { ViewSwitch } from './view-switch.tsx';

const POLL_MS = 5_000;

/** The simple view: a card for each ticket, the longest wait first. A response resolves its ticket. */
export function SimpleView({ drafts }: { drafts: Drafts }) {
  const state = useOperatorList<OperatorTicket>(readSimpleTicketQueue, {
    pollMs: POLL_MS,
    defaultSortFor: () => 'answerBy',
  });
  const totals = useShownTotals(state, useTicketTotals());
  return (
    <DeskPage tab="tickets" tools={<ViewSwitch />} totals={<ListTotals totals={totals} />}>
      <Cards state={state} drafts={drafts} />
    </DeskPage>
  );
}

/** What the detailed view was searched for. This view has no field for it, so it is shown and can be cleared. */
function Searched({ q, onClear }: { q: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <p className={styles.buttons}>
      <bdi>“{q}”</bdi>
      <Button variant="default" size="sm" onClick={onClear}>
        {t('tickets.simple.clearSearch')}
      </Button>
    </p>
  );
}

function Cards({ state, drafts }: { state: OperatorListState<OperatorTicket>; drafts: Drafts }) {
  const { t } = useTranslation();
  const { read, rows, q } = state;
  const searched = q !== '' && <Searched q={q} onClear={() => state.show({ q: '' })} />;
  if (read.data === undefined)
    return (
      <ReadState read={read} rows={3} title={t('tickets.failed.title')} text={t('tickets.failed.text')} />
    );
  if (rows.length === 0)
    return read.data.totalCount > 0 ? (
      <PageBeyond onFirst={() => state.show({ page: 1 })} />
    ) : (
      <>
        {searched}
        <EmptyState title={t('tickets.none.title')} text={t('tickets.empty.text')} />
      </>
    );
  return (
    <div className={styles.cards}>
      {searched}
      <ul>
        {rows.map((ticket) => (
          <li key={ticket.id}>
            <SimpleCard ticket={ticket} drafts={drafts} />
          </li>
        ))}
      </ul>
      <Pager
        page={state.page}
        totalPages={read.data.totalPages}
        onPage={(page) => state.show({ page })}
        label={t('tickets.pages')}
      />
    </div>
  );
}
