import { useTranslation } from 'react-i18next';
import { type OperatorClaim, readClaim } from '#contract/claims.ts';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { Fact, FactList, SheetFacts, SheetPerson } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { ClaimBadge, ClaimClock, isOpen } from './claim-badges.tsx';
import { ClaimFoot } from './claim-foot.tsx';
import styles from './claims.module.css';

type ClaimSheetProps = {
  row: OperatorClaim;
  position: SheetPosition<OperatorClaim>;
  refresh: () => void;
};

/** One claim: what the member says, what was opened, what became of it, and what can be done at the foot. */
export function ClaimSheet(props: ClaimSheetProps) {
  const { row } = props;
  const providerName = useProviders()(row.provider)?.name ?? row.provider;
  const openingState = useRead(readClaim, { params: { id: row.id } }).data?.openingState;
  return (
    <>
      <SheetFacts>
        <ClaimHead row={row} />
        <OpeningFacts row={row} providerName={providerName} openingState={openingState} />
        <Progress row={row} />
      </SheetFacts>
      <ClaimFoot {...props} providerName={providerName} hasCredit={(openingState ?? 'opened') !== 'opened'} />
    </>
  );
}

function ClaimHead({ row }: { row: OperatorClaim }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.badges}>
        <ClaimBadge state={row.state} />
        {isOpen(row) && <ClaimClock row={row} />}
      </p>
      <p className={styles.stated}>
        {row.statedPoints === null ? (
          t('claimList.sheet.notStated')
        ) : (
          <>
            <span className={`num ${styles.figure}`}>{formatAmount(row.statedPoints)}</span>{' '}
            {t('claimList.sheet.stated')}
          </>
        )}
      </p>
      <SheetPerson
        id={row.userId}
        name={row.userName}
        firstName={row.userFirstName}
        lastName={row.userLastName}
        email={row.userEmail}
      />
      <h3>{t('claimList.sheet.text')}</h3>
      <p className={styles.text} dir="auto">
        {row.text}
      </p>
    </>
  );
}

type OpeningFactsProps = {
  row: OperatorClaim;
  providerName: string;
  /** Undefined until it was read. */
  openingState: 'opened' | 'pending' | 'credited' | undefined;
};

const tones = { opened: 'plain', pending: 'warn', credited: 'warn' } as const;

function OpeningFacts({ row, providerName, openingState }: OpeningFactsProps) {
  const { t, i18n } = useTranslation();
  const { arrivesWithinHours: hours } = row;
  const isTwice = row.state === 'booked' && openingState !== undefined && openingState !== 'opened';
  return (
    <>
      <h3>{t('claimList.sheet.opening')}</h3>
      <FactList>
        <Fact label={t('claimList.sheet.provider')}>{providerName}</Fact>
        <Fact label={t('claimList.sheet.opened')}>{formatTime(row.openedAt, i18n.language)}</Fact>
        <Fact label={t('claimList.sheet.usual')}>
          {hours === null ? t('claimList.sheet.unknown') : t('claimList.sheet.hours', { count: hours })}
        </Fact>
        <Fact label={t('claimList.sheet.now')} {...(isTwice && { note: t('claimList.sheet.twice') })}>
          {openingState === undefined ? (
            '–'
          ) : openingState === 'opened' ? (
            t('claimList.sheet.states.opened')
          ) : (
            <StatusBadge tone={tones[openingState]}>
              {t(`claimList.sheet.states.${openingState}`)}
            </StatusBadge>
          )}
        </Fact>
      </FactList>
    </>
  );
}

function Progress({ row }: { row: OperatorClaim }) {
  const { t, i18n } = useTranslation();
  const timeOf = (label: 'filed' | 'asked' | 'answerBy' | 'due' | 'decided', at: string | null) =>
    at !== null && <Fact label={t(`claimList.sheet.${label}`)}>{formatTime(at, i18n.language)}</Fact>;
  return (
    <>
      <h3>{t('claimList.sheet.progress')}</h3>
      <FactList>
        {timeOf('filed', row.filedAt)}
        {timeOf('asked', row.askedAt)}
        {timeOf('answerBy', row.answerBy)}
        {isOpen(row) ? timeOf('due', row.dueAt) : timeOf('decided', row.decidedAt)}
        {row.adminEmail !== null && <Fact label={t('claimList.sheet.by')}>{row.adminEmail}</Fact>}
        {row.reason !== null && <Fact label={t('claimList.sheet.reason')}>{row.reason}</Fact>}
        <Fact label={t('claimList.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}
