import { useTranslation } from 'react-i18next';
import { acts } from '#contract/acts.ts';
import { type RecordedAct, readAuditTrail } from '#contract/audit-trail.ts';
import { useActNames } from '#web/admin/kit/act-names.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge } from '#web/client/format.ts';
import { ActSheet } from './act-sheet.tsx';
import styles from './audit-trail-page.module.css';
import { MemberLink, TargetLink, TargetWord } from './target-link.tsx';
import { useOperators } from './use-operators.ts';

/** The audit trail: who did what, when, to what and why. Its rows are only read. */

const POLL_MS = 10_000;
const isSelectable = () => false;

export function AuditTrailPage() {
  const { t, i18n } = useTranslation();
  const { options, nameOf } = useOperators();
  const nameOfAct = useActNames();
  const state = useOperatorList<RecordedAct>(readAuditTrail, { pollMs: POLL_MS });
  const screen: ListScreen<RecordedAct> = {
    state,
    ...useListWords(readAuditTrail, 'auditTrail', {
      operatorId: options,
      action: acts.map((value) => ({ value, label: nameOfAct(value) })),
    }),
    lead: {
      heading: t('auditTrail.columns.action'),
      title: ({ action }) => nameOfAct(action),
      note: nameOf,
    },
    columns: useColumns(),
    card: ({ at, target, targetKind, memberName, reason }) => ({
      figure: <span className="num caption dim">{formatAge(at, i18n.language)}</span>,
      note: reason ?? (targetKind === 'member' ? memberName : null) ?? (
        <TargetWord kind={targetKind} id={target} />
      ),
    }),
    isWaiting: isSelectable,
    sheet: (row) => <ActSheet key={row.id} act={row} who={nameOf(row)} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<RecordedAct, SortOf<typeof readAuditTrail>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'target',
      heading: t('auditTrail.columns.target'),
      cell: (act) => <TargetLink act={act} isShort />,
    },
    {
      key: 'member',
      heading: t('auditTrail.columns.member'),
      cell: (act) => <MemberLink act={act} />,
      defaultVisibility: 'wide',
    },
    {
      key: 'reason',
      heading: t('auditTrail.columns.reason'),
      cell: ({ reason }) => (
        <span className={styles.reason} title={reason ?? undefined}>
          {reason ?? '–'}
        </span>
      ),
      defaultVisibility: 'medium',
    },
    {
      key: 'number',
      heading: t('auditTrail.columns.id'),
      cell: ({ id }) => id,
      isFigure: true,
      defaultVisibility: 'hidden',
    },
    {
      key: 'at',
      heading: t('auditTrail.columns.at'),
      cell: ({ at }) => <Age at={at} />,
      sort: 'at',
      isFigure: true,
    },
  ];
}
