import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type RiskRuleState, readRiskRules, switchRiskRule } from '#contract/risk-rules.ts';
import { type RuleMode, ruleModes } from '#contract/rule-modes.ts';
import { CardTable, cells } from '#web/admin/kit/card-table.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ReadState } from '#web/ui/read-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './risk.module.css';
import { levelTones } from './score-badge.tsx';

const columns = ['what', 'severity', 'mode'] as const;

/** The rules, each with what it finds and its mode, which is changed at once. */
export function RuleTable() {
  const { t } = useTranslation();
  const read = useRead(readRiskRules);
  return (
    <div className="card">
      <header className="card-head">
        <h2>{t('fraud.tabs.rules')}</h2>
      </header>
      <p className={styles.hint}>{t('fraud.switches.hint')}</p>
      {read.data === undefined ? (
        <ReadState read={read} rows={6} />
      ) : (
        <CardTable columns={columns.map((column) => ({ label: t(`fraud.switches.columns.${column}`) }))}>
          {read.data.map((state) => (
            <Row key={state.rule} {...state} />
          ))}
        </CardTable>
      )}
    </div>
  );
}

function Row({ rule, severity, mode }: RiskRuleState) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const switching = useAct(switchRiskRule);
  const name = t(`fraud.rules.${rule}`);
  const change = (next: RuleMode) =>
    switching.mutate(
      { params: { rule }, body: { mode: next } },
      {
        onSuccess: (saved) => toast.ok(t(`fraud.switches.done.${saved.mode}`, { name })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('fraud.switches.failed')),
      },
    );
  const shown = switching.isPending ? switching.variables.body.mode : mode;
  return (
    <tr>
      <td className={cells.text}>
        <b className={styles.rule}>{name}</b>
        <p className={cells.note}>{t(`fraud.switches.finds.${rule}`)}</p>
      </td>
      <td data-label={t('fraud.switches.columns.severity')}>
        <StatusBadge tone={levelTones[severity]}>{t(`fraud.levels.${severity}`)}</StatusBadge>
      </td>
      <td>
        <SegmentedControl
          aria-label={t('fraud.switches.modeOf', { name })}
          value={shown}
          data={ruleModes.map((value) => ({ value, label: t(`fraud.switches.modes.${value}`) }))}
          disabled={switching.isPending}
          onChange={(value) => change(value as RuleMode)}
          classNames={{ label: styles.segment ?? '' }}
          withItemsBorders={false}
        />
      </td>
    </tr>
  );
}
