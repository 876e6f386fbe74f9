import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Block, type BlockKind, liftBlock, readBlocks } from '#contract/risk.ts';
import { CardPager, CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { type OperatorListState, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { formatTime } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './risk.module.css';

const POLL_MS = 30_000;

/** The blocks of a kind, newest first: those that are active, or all. */
export function BlockTable({ kind }: { kind: BlockKind }) {
  const { t } = useTranslation();
  const state = useOperatorList<Block>(readBlocks, {
    pollMs: POLL_MS,
    defaultFilters: { kind, state: 'active' },
  });
  const [lifting, setLifting] = useState<Block | null>(null);
  const isAll = state.filters.state === undefined;
  return (
    <div className="card">
      <header className="card-head">
        <h2>{t(`fraud.list.${kind}`)}</h2>
        <Button variant="subtle" size="sm" onClick={() => state.filter({ state: isAll ? 'active' : null })}>
          {t(isAll ? 'fraud.list.onlyActive' : 'fraud.list.alsoEnded')}
        </Button>
      </header>
      <Rows kind={kind} state={state} onLift={setLifting} />
      <LiftDialog block={lifting} onClose={() => setLifting(null)} />
    </div>
  );
}

const columns = ['value', 'reason', 'by', 'ends', 'state'] as const;

type RowsProps = { kind: BlockKind; state: OperatorListState<Block>; onLift: (block: Block) => void };

function Rows({ kind, state, onLift }: RowsProps) {
  const { t } = useTranslation();
  const { read, rows } = state;
  if (read.data === undefined) return <ReadState read={read} rows={4} />;
  if (rows.length === 0)
    return <EmptyState title={t(`fraud.empty.${kind}`)} text={t(`fraud.form.${kind}.hint`)} />;
  return (
    <>
      <CardTable
        columns={[
          ...columns.map((column) => ({ label: t(`fraud.columns.${column}`) })),
          { label: t('fraud.lift.begin'), isUnseen: true },
        ]}
      >
        {rows.map((row) => (
          <Row key={row.id} row={row} onLift={() => onLift(row)} />
        ))}
      </CardTable>
      <CardPager label={t('fraud.list.pages')} state={state} />
    </>
  );
}

function Row({ row, onLift }: { row: Block; onLift: () => void }) {
  const { t, i18n } = useTranslation();
  return (
    <tr>
      <td className={styles.value}>{row.value}</td>
      <td className={cells.text}>{row.reason}</td>
      <td data-label={t('fraud.columns.by')}>
        <span>{row.createdBy ?? '–'}</span>
        <p className={cells.note}>{formatTime(row.createdAt, i18n.language)}</p>
      </td>
      <td data-label={t('fraud.columns.ends')}>
        <span className="num">
          {row.expiresAt === null ? t('fraud.list.never') : formatTime(row.expiresAt, i18n.language)}
        </span>
      </td>
      <td>
        {row.isActive ? (
          <StatusBadge tone="blocked" icon={IconBan}>
            {t('fraud.list.active')}
          </StatusBadge>
        ) : (
          <StatusBadge tone="plain">{t('fraud.list.ended')}</StatusBadge>
        )}
      </td>
      <td className={cells.figure}>
        {row.isActive && (
          <Button
            variant="default"
            size="sm"
            aria-label={t('fraud.lift.beginOf', { value: row.value })}
            onClick={onLift}
          >
            {t('fraud.lift.begin')}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Asks before a block is lifted. Without a block the dialog is closed. */
function LiftDialog({ block, onClose }: { block: Block | null; onClose: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const lifting = useAct(liftBlock);
  const submit = ({ id, value }: Block) =>
    lifting.mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('fraud.lift.done', { value })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('fraud.lift.failed')),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      of={block}
      words={({ value, kind }) => ({
        title: t('fraud.lift.question', { value }),
        text: t(`fraud.lift.effect.${kind}`),
        submit: t('fraud.lift.submit'),
      })}
      isPending={lifting.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
