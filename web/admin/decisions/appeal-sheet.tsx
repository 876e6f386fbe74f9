import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerAppeal, type ListedAppeal } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import { REASON_MAX } from '#contract/fields.ts';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useFaults } from '#web/admin/kit/use-faults.ts';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { FailureCode } from '#web/client/call.ts';
import { formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AppealBadge } from './appeal-badge.tsx';
import styles from './appeal-sheet.module.css';

type AppealSheetProps = {
  row: ListedAppeal;
  position: SheetPosition<ListedAppeal>;
  /** The unsent answers by appeal. */
  drafts: Map<string, string>;
};

/** One appeal: the decision, the member's words, and at the foot its answer. */
export function AppealSheet(props: AppealSheetProps) {
  const { row, position } = props;
  const { t } = useTranslation();
  return (
    <>
      <SheetFacts>
        <AppealFacts row={row} />
      </SheetFacts>
      {row.status === 'open' ? (
        <AnswerFoot {...props} />
      ) : (
        <SheetFoot fine={t('appeals.sheet.answeredFine')}>
          <OpenMember id={row.userId} />
          <Button variant="default" onClick={position.close}>
            {t('common.close')}
          </Button>
        </SheetFoot>
      )}
    </>
  );
}

function OpenMember({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/management-panel-x7k9w/users/member" search={{ id }} />}
    >
      {t('appeals.sheet.openMember')}
    </Button>
  );
}

const stopsEarning = ({ kind }: ListedAppeal): boolean =>
  kind === 'earnings_blocked' || kind === 'full_suspension';

/** The credits that came while the member could not earn. */
const creditsOf = ({ userId }: ListedAppeal): Record<string, string> => ({ holdReason: 'review', q: userId });

function AppealFacts({ row }: { row: ListedAppeal }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  return (
    <>
      <p>
        <AppealBadge row={row} />
      </p>
      <p className={styles.what}>{t(`appeals.kinds.${row.kind}`)}</p>
      <p className={styles.person}>
        {row.userName}, {row.userEmail}
      </p>
      <h3>{t('appeals.sheet.reason')}</h3>
      <p className={styles.text}>{row.reason}</p>
      <h3>{t('appeals.sheet.text')}</h3>
      <p className={styles.text}>{row.text}</p>
      {row.answer !== null && (
        <>
          <h3>{t('appeals.sheet.answer')}</h3>
          <p className={styles.text}>{row.answer}</p>
        </>
      )}
      <FactList>
        <Fact label={t('appeals.sheet.decidedBy')}>
          {row.decidedByEmail ?? t('appeals.sheet.commandLine')}
        </Fact>
        <Fact label={t('appeals.sheet.decidedAt')}>{time(row.decidedAt)}</Fact>
        <Fact label={t('appeals.sheet.until')}>
          {row.expiresAt === null ? t('appeals.sheet.untilLifted') : time(row.expiresAt)}
        </Fact>
        <Fact label={t('appeals.sheet.state')}>
          {t(
            `appeals.sheet.${row.kind === 'earning_rejected' ? 'rejected' : row.isActive ? 'active' : 'ended'}`,
          )}
        </Fact>
        <Fact label={t('appeals.columns.made')}>{time(row.createdAt)}</Fact>
        <Fact label={t('appeals.columns.answerBy')}>{time(row.answerBy)}</Fact>
        {row.answeredAt !== null && (
          <Fact label={t('appeals.sheet.answeredBy')}>
            {time(row.answeredAt)}
            {row.answeredByEmail !== null && `, ${row.answeredByEmail}`}
          </Fact>
        )}
        <Fact label={t('appeals.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
      {row.status === 'overturned' && stopsEarning(row) && (
        <p>
          {t('appeals.sheet.creditsWait')}{' '}
          <Link className="link" to="/management-panel-x7k9w/approvals" search={creditsOf(row)}>
            {t('appeals.sheet.toCredits')}
          </Link>
        </p>
      )}
    </>
  );
}

const fineOf = ({ kind }: ListedAppeal) =>
  isBlock(kind) ? ('appeals.sheet.fine' as const) : ('appeals.sheet.fineCredit' as const);

function AnswerFoot({ row, position, drafts }: AppealSheetProps) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const answering = useAct(answerAppeal);
  const [reason, setReason] = useState(drafts.get(row.id) ?? '');
  const { ref, faults, show, clear } = useFaults<'reason', HTMLDivElement>();
  const reasonFaultOf = useReasonFault();
  const whyNot = (code: FailureCode) =>
    code === 'own-request' ? t('appeals.ownRefused') : refusalWords(code);
  const { remember } = useNextRow(position, answering.isSuccess);
  const { email } = useMember();
  const send = (uphold: boolean) => {
    if (answering.isPending) return;
    const fault = reasonFaultOf(reason, t('appeals.sheet.required'));
    if (fault !== undefined) return show({ reason: fault });
    remember();
    answering.mutate(
      { params: { id: row.id }, body: { uphold, reason: reason.trim() } },
      {
        onSuccess: () => {
          drafts.delete(row.id);
          toast.ok(t(`appeals.done.${uphold ? 'upheld' : 'overturned'}`));
        },
        onError: ({ code }) => toast.bad(whyNot(code), t('appeals.failed.act')),
      },
    );
  };
  const isSending = (uphold: boolean) => answering.isPending && answering.variables.body.uphold === uphold;
  return (
    <SheetFoot
      fine={t(row.decidedByEmail === email ? 'appeals.sheet.ownFine' : fineOf(row))}
      failure={answering.error === null ? null : whyNot(answering.error.code)}
      fields={
        <div ref={ref}>
          <Textarea
            className={styles.field}
            label={<FieldLabel text={t('appeals.sheet.answerLabel')} help={t('appeals.sheet.answerHelp')} />}
            value={reason}
            maxLength={REASON_MAX}
            autosize
            minRows={2}
            maxRows={6}
            error={fieldError(faults.reason)}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              drafts.set(row.id, event.currentTarget.value);
              clear();
              answering.reset();
            }}
          />
        </div>
      }
    >
      <OpenMember id={row.userId} />
      <Button variant="default" loading={isSending(true)} onClick={() => send(true)}>
        {t('appeals.sheet.uphold')}
      </Button>
      <Button loading={isSending(false)} onClick={() => send(false)}>
        {t('appeals.sheet.overturn')}
      </Button>
    </SheetFoot>
  );
}
