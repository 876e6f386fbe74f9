import { Button, Radio, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type QuarantineDetails,
  type Quarantined,
  readQuarantineDetails,
} from '#contract/earning-quarantine.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { ReasonField, useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import { Fact, FactList, SheetFacts, SheetFoot, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './postbacks.module.css';
import { type Choice, useQuarantineReason, useQuarantineText, useResolution } from './use-resolution.ts';

type QuarantineSheetProps = {
  row: Quarantined;
  position: SheetPosition<Quarantined>;
  providerName: string;
};

/** One call in quarantine: what it says, who may be meant, and the decision. */
export function QuarantineSheet({ row, position, providerName }: QuarantineSheetProps) {
  const { t } = useTranslation();
  const details = useRead(readQuarantineDetails, { params: { id: row.id } });
  const [choice, setChoice] = useState<Choice>({ action: 'dismiss', memberId: '', note: '' });
  const { ref, faults: errors, show, clear } = useFaults<'memberId' | 'note', HTMLDivElement>();
  const reasonFaultOf = useReasonFault();
  const { resolve, forget, isPending, failure } = useResolution(row, position.close, (memberId) =>
    show({ memberId }),
  );
  const change = (part: Partial<Choice>) => {
    setChoice({ ...choice, ...part });
    clear();
    forget();
  };
  const decide = () => {
    const needsMember = choice.action === 'book' && row.kind === 'credit';
    const note = reasonFaultOf(choice.note, t('quarantine.errors.note'));
    const found = {
      ...(needsMember && !MEMBER_ID.test(choice.memberId) ? { memberId: t('quarantine.errors.member') } : {}),
      ...(note === undefined ? {} : { note }),
    };
    if (Object.keys(found).length > 0) show(found);
    else resolve({ ...choice, note: choice.note.trim() });
  };
  const amount = row.amount === null ? '' : formatAmount(row.amount);
  return (
    <>
      <SheetFacts>
        <CallFacts row={row} providerName={providerName} details={details.data} />
        <div ref={ref} className={styles.form}>
          <Acts row={row} choice={choice} onChange={change} />
          {choice.action === 'book' && row.kind === 'credit' && (
            <Candidates
              candidates={details.data?.candidates ?? []}
              memberId={choice.memberId}
              error={errors.memberId ?? null}
              onChange={(memberId) => change({ memberId })}
            />
          )}
          <ReasonField
            id="quarantine-note"
            words={{
              label: t('quarantine.note'),
              help: t('quarantine.noteHelp'),
              required: t('quarantine.errors.note'),
            }}
            reason={choice.note}
            error={errors.note ?? null}
            onChange={(note) => change({ note })}
          />
        </div>
      </SheetFacts>
      <SheetFoot fine={t('quarantine.fine')} failure={failure}>
        <Button variant="subtle" onClick={position.close} disabled={isPending}>
          {t('common.cancel')}
        </Button>
        {choice.action === 'book' ? (
          <DecideButton isPending={isPending} isDisabled={false} onDecide={decide}>
            {t(`quarantine.submit.${row.kind}`, { amount })}
          </DecideButton>
        ) : (
          <Button loading={isPending} onClick={decide}>
            {t('quarantine.submit.dismiss', { amount })}
          </Button>
        )}
      </SheetFoot>
    </>
  );
}

type CallFactsProps = { row: Quarantined; providerName: string; details: QuarantineDetails | undefined };

function CallFacts({ row, providerName, details }: CallFactsProps) {
  const { t, i18n } = useTranslation();
  const reasonOf = useQuarantineReason();
  const textOf = useQuarantineText();
  const badge = <StatusBadge tone="warn">{reasonOf(row)}</StatusBadge>;
  return (
    <>
      {row.amount === null ? (
        <p>{badge}</p>
      ) : (
        <SheetSum points={row.amount} badges={badge}>
          {t(`postbacks.kinds.${row.kind}`)}
        </SheetSum>
      )}
      <p className={styles.said}>{textOf(row)}</p>
      <FactList>
        <Fact label={t('postbacks.columns.provider')}>{providerName}</Fact>
        <Fact label={t('quarantine.columns.transaction')}>
          <span className="mono">{row.txId}</span>
        </Fact>
        {row.kind === 'reversal' && details !== undefined && (
          <Fact label={t('quarantine.columns.credit')}>
            <span className="mono">{details.creditTxId}</span>
          </Fact>
        )}
        <Fact label={t('quarantine.columns.member')}>
          <span className="num">{row.memberId}</span>
        </Fact>
        {details !== undefined && details.subject !== '' && (
          <Fact label={t(`quarantine.subject.${row.kind}`)}>{details.subject}</Fact>
        )}
        <Fact label={t('quarantine.columns.received')}>{formatTime(row.at, i18n.language)}</Fact>
        {details?.postbackId != null && (
          <Fact label={t('quarantine.call')}>
            <Link
              className="link"
              to="/management-panel-x7k9w/postbacks"
              search={{ open: details.postbackId }}
            >
              {t('quarantine.openCall')}
            </Link>
          </Fact>
        )}
      </FactList>
    </>
  );
}

type ActsProps = { row: Quarantined; choice: Choice; onChange: (part: Partial<Choice>) => void };

function Acts({ row, choice, onChange }: ActsProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('quarantine.what')}
      mt="lg"
      value={choice.action}
      onChange={(action) => onChange({ action: action as Choice['action'] })}
    >
      <div className={styles.choices}>
        {(['dismiss', 'book'] as const).map((action) => (
          <ChoiceRow key={action} value={action} title={t(`quarantine.acts.${row.kind}.${action}`)}>
            {t(`quarantine.actTexts.${row.kind}.${action}`)}
          </ChoiceRow>
        ))}
      </div>
    </Radio.Group>
  );
}

type ChoiceRowProps = { value: string; title: string; isDisabled?: boolean; children: ReactNode };

function ChoiceRow({ value, title, isDisabled = false, children }: ChoiceRowProps) {
  return (
    <div className={styles.choice}>
      <Radio value={value} label={title} description={children} disabled={isDisabled} />
    </div>
  );
}

type CandidatesProps = {
  candidates: QuarantineDetails['candidates'];
  memberId: string;
  error: string | null;
  onChange: (memberId: string) => void;
};

/** The members that the call may mean, and a field for any other. */
function Candidates({ candidates, memberId, error, onChange }: CandidatesProps) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {candidates.length > 0 && (
        <Radio.Group label={t('quarantine.who')} value={memberId} onChange={onChange}>
          <div className={styles.choices}>
            {candidates.map(({ id, name, why, isDeleted, openedAt }) => (
              <ChoiceRow
                key={id}
                value={id}
                title={isDeleted ? t('quarantine.deleted', { name }) : name}
                isDisabled={isDeleted}
              >
                <span className="num">{id}</span>, {t(`quarantine.why.${why}`)}{' '}
                {openedAt === null
                  ? t('quarantine.neverOpened')
                  : t('quarantine.opened', { time: formatTime(openedAt, i18n.language) })}
              </ChoiceRow>
            ))}
          </div>
        </Radio.Group>
      )}
      <TextInput
        id="quarantine-member"
        label={t('quarantine.memberId')}
        value={memberId}
        inputMode="numeric"
        maxLength={9}
        error={fieldError(error)}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </>
  );
}
