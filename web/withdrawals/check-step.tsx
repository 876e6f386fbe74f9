import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, groupedByFour } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { classifyAddress } from './address.ts';
import fields from './detail-fields.module.css';
import type { Draft } from './kept-draft.ts';
import styles from './withdrawal-dialog.module.css';

type CheckStepProps = {
  draft: Draft;
  failure: ApiError | null;
  isPending: boolean;
  onBack: () => void;
  onSend: () => void;
};

/** Whether the request may be stored although this attempt failed. The next press finds it by its key. */
const mayHaveArrived = ({ status, code }: ApiError): boolean => status >= 500 || code === 'unreachable';

/** The last step: the address to compare, and the button that sends the request. */
export function CheckStep({ draft, failure, isPending, onBack, onSend }: CheckStepProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.step}>
      <div className={styles.fields}>
        <CheckHeading />
        <p id="withdraw-final" className={styles.stepText}>
          {t('withdrawals.dialog.final')}
        </p>
        <Destination draft={draft} />
        {failure !== null && (
          <div className={styles.failure} role="alert">
            <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
            <p>
              <b>{t(`withdrawals.dialog.${mayHaveArrived(failure) ? 'unanswered' : 'failed'}`)}.</b>{' '}
              {mayHaveArrived(failure) ? t('withdrawals.dialog.again') : t(`refusals.${failure.code}`)}
            </p>
          </div>
        )}
      </div>
      <div className={styles.foot}>
        <div className={styles.actions}>
          <Button variant="subtle" onClick={onBack} disabled={isPending}>
            {t('withdrawals.dialog.change')}
          </Button>
          <Button
            variant="money"
            className={styles.next}
            loading={isPending}
            aria-describedby="withdraw-final withdraw-destination withdraw-summary"
            onClick={onSend}
          >
            {t('withdrawals.dialog.submit', { amount: formatAmount(draft.amount) })}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Takes the focus when the step opens, so that a screen reader starts there. */
function CheckHeading() {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className={styles.stepTitle}>
      {t('withdrawals.dialog.isRight')}
    </h3>
  );
}

/** A number with its middle hidden, so that a look over the shoulder learns nothing. */
const hiddenMiddle = (number: string): string => `${number.slice(0, -8)} •••• ${number.slice(-4)}`;

function Destination({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  const { wordOf } = useRailWords();
  const { phoneVerified, phoneNumber } = useMember();
  const { data: rails } = useRails();
  const destination = findRail(rails, draft.method)?.destination;
  const isChecked =
    destination?.code != null && classifyAddress(rails, draft.method, draft.address).state === 'right';
  const address = draft.address.trim();
  return (
    <>
      <p className={fields.fieldLabel}>{wordOf('withdrawals.dialog.toAddress', draft.method)}</p>
      <p id="withdraw-destination" className={`mono ${styles.destination}`}>
        {destination?.kind === 'code' ? groupedByFour(address) : address}
      </p>
      {isChecked && <Passed text={t('withdrawals.dialog.checked')} />}
      {phoneVerified && phoneNumber !== null && (
        <Passed text={t('withdrawals.phone.verified', { number: hiddenMiddle(phoneNumber) })} />
      )}
    </>
  );
}

const Passed = ({ text }: { text: string }) => (
  <p className={fields.hint} data-tone="ok">
    <IconCircleCheck size={16} stroke={2} aria-hidden="true" />
    <span className="num">{text}</span>
  </p>
);
