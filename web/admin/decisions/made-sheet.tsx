import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedDecision } from '#contract/decisions.ts';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatTime } from '#web/client/format.ts';
import styles from './appeal-sheet.module.css';
import { liftsOf, placeOf, ruleOf } from './made-words.ts';

/** One decision: what and about whom, the rule, the facts, who, until when and what lifts it. */
export function MadeSheet({ row, onClose }: { row: ListedDecision; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <SheetFacts>
        <p className={styles.what}>{t(`made.kinds.${row.kind}`)}</p>
        <p className={styles.person}>{row.userName === null ? row.about : `${row.userName}, ${row.about}`}</p>
        {row.reason !== '' && (
          <>
            <h3>{t('made.sheet.reason')}</h3>
            <p className={styles.text}>{row.reason}</p>
          </>
        )}
        <h3>{t('made.sheet.facts')}</h3>
        <MadeFacts row={row} />
      </SheetFacts>
      <SheetFoot fine={t('made.sheet.fine')}>
        <Button variant="default" renderRoot={(props) => <Link {...props} {...placeOf(row)} />}>
          {t('made.sheet.open')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </SheetFoot>
    </>
  );
}

function MadeFacts({ row }: { row: ListedDecision }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  const { subject, expiresAt, liftedAt } = row;
  const rule = ruleOf(row);
  return (
    <FactList>
      {rule !== null && <Fact label={t('made.sheet.rule')}>{t(`made.rules.${rule}`)}</Fact>}
      {subject !== null && <Fact label={t('made.sheet.amount')}>{formatAmount(subject.amount)}</Fact>}
      {subject?.name && <Fact label={t('made.sheet.name')}>{subject.name}</Fact>}
      {subject !== null && <Fact label={t('made.sheet.place')}>{subject.place}</Fact>}
      <Fact label={t('made.columns.made')}>{time(row.createdAt)}</Fact>
      <Fact label={t('made.columns.by')}>{row.decidedByEmail ?? t('made.sheet.site')}</Fact>
      <Fact label={t('made.columns.until')}>{expiresAt === null ? t('made.never') : time(expiresAt)}</Fact>
      {liftedAt !== null && <Fact label={t('made.sheet.lifted')}>{time(liftedAt)}</Fact>}
      <Fact label={t('made.sheet.lifts')}>{t(`made.lifts.${liftsOf(row)}`)}</Fact>
      <Fact label={t('made.sheet.id')}>
        <span className="mono">{row.id}</span>
      </Fact>
    </FactList>
  );
}
