import { IconBulb, IconCheck, IconExclamationMark, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Postback, Step } from '#contract/earning-postbacks.ts';
import { CallAmount } from './call-amount.tsx';
import styles from './postbacks.module.css';
import { useVerdictWord } from './verdict-badge.tsx';

const signs = { passed: IconCheck, noted: IconExclamationMark, failed: IconX } as const;

/** The seven steps of a call as it came, each with what was looked at. */
export function CallSteps({ row }: { row: Postback }) {
  const { t } = useTranslation();
  const stateOf = useStepState();
  return (
    <ol className={styles.steps}>
      {row.steps.map((step, index) => {
        const Sign = step.state === 'notReached' ? undefined : signs[step.state];
        return (
          <li key={step.name} data-state={step.state}>
            <span className={`num ${styles.number}`} aria-hidden="true">
              {Sign === undefined ? index + 1 : <Sign size={14} stroke={2.5} />}
            </span>
            <div className={styles.step}>
              <p className={styles.stepHead}>
                <b>{t(`postbacks.steps.${step.name}.title`)}</b>
                <span>{stateOf(step)}</span>
              </p>
              <StepFacts row={row} step={step} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The words of a step's state. */
export function useStepState(): (step: Step) => string {
  const { t } = useTranslation();
  return ({ name, state }) =>
    state === 'notReached' ? t('postbacks.notReached') : t(`postbacks.steps.${name}.${state}`);
}

/** The request and the signature are shown whatever the verdict. Other facts stand where their step was reached. */
function StepFacts({ row, step: { name, state } }: { row: Postback; step: Step }): ReactNode {
  const { t } = useTranslation();
  const wordOf = useVerdictWord();
  const reason = state === 'failed' && row.detail !== '' && <p lang="en">{row.detail}</p>;
  if (name === 'route')
    return (
      <>
        {reason}
        <pre>{row.raw}</pre>
        {row.isCut && <p>{t('postbacks.sheet.cut')}</p>}
      </>
    );
  if (name === 'signature') return <SignatureFacts row={row} state={state} />;
  if (state === 'notReached') return null;
  if (name === 'source') return <p className="mono">{row.address}</p>;
  if (name === 'translation')
    return (
      <>
        {reason}
        {row.kind !== null && (
          <p>
            {t(`postbacks.kinds.${row.kind}`)}, <CallAmount row={row} />
          </p>
        )}
      </>
    );
  if (name === 'member' && row.memberId !== null)
    return (
      <p>
        {row.memberName === null ? (
          t('postbacks.unknownMember', { id: row.memberId })
        ) : (
          <Link className="link" to="/management-panel-x7k9w/users/member" search={{ id: row.memberId }}>
            {row.memberName}
          </Link>
        )}
      </p>
    );
  return name === 'movement' ? <p>{wordOf(row)}</p> : null;
}

function SignatureFacts({ row, state }: { row: Postback; state: Step['state'] }) {
  const { t } = useTranslation();
  const { signature, detail } = row;
  if (signature === null) return null;
  const { algorithm, text, bytes, received, ours, matches } = signature;
  // Otherwise the two signatures say it.
  const isMore = ours === '' || matches === 'current';
  return (
    <>
      {state === 'failed' && isMore && <p lang="en">{detail}</p>}
      <p>{t(`postbacks.signature.${algorithm}`, { bytes })}</p>
      <pre>{text}</pre>
      <dl className={styles.digests}>
        <dt>{t('postbacks.signature.sent')}</dt>
        <dd className="mono">{received || t('postbacks.signature.missing')}</dd>
        <dt>{t('postbacks.signature.ours')}</dt>
        <dd className="mono" data-differs={matches !== 'current' || undefined}>
          {ours || t('postbacks.signature.noSecret')}
        </dd>
      </dl>
      {state === 'failed' && (
        <p className={styles.cause}>
          <IconBulb size={16} stroke={2} aria-hidden="true" />
          {t(`postbacks.signature.causes.${matches}`, { name: row.providerName })}
        </p>
      )}
    </>
  );
}
