import { useTranslation } from 'react-i18next';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { useActNames } from '#web/admin/kit/act-names.ts';
import comparison from '#web/admin/kit/comparison.module.css';
import { Fact, FactList, SheetFacts } from '#web/admin/kit/sheet-parts.tsx';
import { formatTimeInFull } from '#web/client/format.ts';
import styles from './act-sheet.module.css';
import { comparisonOf } from './comparison.ts';
import { MemberLink, TargetLink } from './target-link.tsx';
import { useFieldWords } from './use-field-words.ts';

/** One act: who, when and why, and what it changed, before and after. */
export function ActSheet({ act, who }: { act: RecordedAct; who: string }) {
  const { t, i18n } = useTranslation();
  const nameOfAct = useActNames();
  return (
    <SheetFacts>
      <p className={styles.act}>{nameOfAct(act.action)}</p>
      {act.reason !== null && <p className={styles.reason}>{act.reason}</p>}
      <FactList>
        <Fact label={t('auditTrail.sheet.who')}>
          {who}
          {act.operatorId !== null && <span className={styles.id}>{act.operatorId}</span>}
        </Fact>
        <Fact label={t('auditTrail.sheet.at')}>
          <time dateTime={act.at}>{formatTimeInFull(act.at, i18n.language)}</time>
        </Fact>
        <Fact label={t('auditTrail.sheet.target')}>
          {act.targetKind !== null && act.targetKind !== act.target && (
            <span className={styles.kind}>{t(`auditTrail.kinds.${act.targetKind}`)}</span>
          )}
          <TargetLink act={act} />
          {act.targetKind === 'member' && <MemberContact act={act} />}
        </Fact>
        {act.memberId !== null && act.targetKind !== 'member' && (
          <Fact label={t('auditTrail.sheet.member')}>
            <MemberLink act={act} />
            <MemberContact act={act} />
          </Fact>
        )}
        <Fact label={t('auditTrail.sheet.id')}>{act.id}</Fact>
      </FactList>
      <Comparison act={act} />
    </SheetFacts>
  );
}

/** The address and id of the member, below the name. */
const MemberContact = ({ act: { memberId, memberEmail } }: { act: RecordedAct }) =>
  memberEmail === null ? null : (
    <span className={styles.id}>
      {memberEmail} · {memberId}
    </span>
  );

/** The changed fields, one a row. An act without a state before has one column. */
function Comparison({ act: { before, after } }: { act: RecordedAct }) {
  const { t } = useTranslation();
  const { labelOf, textOf } = useFieldWords();
  const lines = comparisonOf(before, after);
  if (lines.length === 0) return <p className={styles.none}>{t('auditTrail.sheet.nothing')}</p>;
  return (
    <>
      <h3 id="act-changes">{t('auditTrail.sheet.changes')}</h3>
      <table className={`${comparison.comparison} ${styles.changes}`} aria-labelledby="act-changes">
        <thead>
          <tr>
            <th scope="col">{t('auditTrail.sheet.field')}</th>
            {before !== null && <th scope="col">{t('auditTrail.sheet.before')}</th>}
            <th scope="col">{t('auditTrail.sheet.after')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ path, was, is }) => (
            <tr key={path.join('.')}>
              <th scope="row">{labelOf(path)}</th>
              {before !== null && <td className={styles.was}>{textOf(path, was)}</td>}
              <td>{textOf(path, is)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
