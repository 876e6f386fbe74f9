import { useTranslation } from 'react-i18next';
import { type OperatorClaim, readClaim } from '#contract/claims.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
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
  const { data: outcome, refetch } = useRead(readClaim, { params: { id: row.id } });
  const refresh = () => {
    props.refresh();
    void refetch();
  };
  return (
    <>
      <SheetFacts>
        <ClaimHead row={row} />
        <OpeningFacts row={row} providerName={providerName} outcome={outcome} />
        <Progress row={row} />
      </SheetFacts>
      <ClaimFoot {...props} refresh={refresh} providerName={providerName} outcome={outcome} />
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
  outcome: ReplyOf<typeof readClaim> | undefined;
};

function OpeningFacts({ row, providerName, outcome }: OpeningFactsProps) {
  const { t, i18n } = useTranslation();
  const { arrivesWithinHours: hours } = row;
  return (
    <>
      <h3>{t('claimList.sheet.opening')}</h3>
      <FactList>
        <Fact label={t('claimList.sheet.provider')}>{providerName}</Fact>
        <Fact label={t('claimList.sheet.opened')}>{formatTime(row.openedAt, i18n.language)}</Fact>
        <Fact label={t('claimList.sheet.device')}>
          <Device outcome={outcome} />
        </Fact>
        <Fact label={t('claimList.sheet.usual')}>
          {hours === null ? t('claimList.sheet.unknown') : t('claimList.sheet.hours', { count: hours })}
        </Fact>
        <OutcomeFacts row={row} outcome={outcome} />
      </FactList>
    </>
  );
}

/** The browser and the address of the click. */
function Device({ outcome }: Pick<OpeningFactsProps, 'outcome'>) {
  const { t, i18n } = useTranslation();
  if (outcome === undefined) return '–';
  if (outcome.openedFrom === null) return t('claimList.sheet.deviceUnknown');
  const { userAgent, address } = outcome.openedFrom;
  return (
    <>
      {deviceNameIn(i18n.language === 'ko' ? 'ko' : 'en', userAgent)}, <span className="mono">{address}</span>
    </>
  );
}

/** What came at the wall: for this opening, and in all since then, also for later openings. */
function OutcomeFacts({ row, outcome }: Pick<OpeningFactsProps, 'row' | 'outcome'>) {
  const { t } = useTranslation();
  const labels = { now: t('claimList.sheet.now'), since: t('claimList.sheet.since') };
  if (outcome === undefined)
    return (
      <>
        <Fact label={labels.now}>–</Fact>
        <Fact label={labels.since}>–</Fact>
      </>
    );
  const { openingState, reviewNote, creditsSince, claimsBookedSince } = outcome;
  const isTwice = row.state === 'booked' && (openingState === 'pending' || openingState === 'credited');
  const note = isTwice ? t('claimList.sheet.twice') : reviewNote;
  const isAnySince = creditsSince + claimsBookedSince > 0;
  const since = t('claimList.sheet.sinceCounts', {
    credits: t('claimList.sheet.creditsSince', { count: creditsSince }),
    claims: t('claimList.sheet.claimsSince', { count: claimsBookedSince }),
  });
  const isWarned = isOpen(row) && isAnySince && openingState === 'opened';
  return (
    <>
      <Fact label={labels.now} {...(note !== null && { note })}>
        {openingState === 'opened' ? (
          t('claimList.sheet.states.opened')
        ) : (
          <StatusBadge tone="warn">{t(`claimList.sheet.states.${openingState}`)}</StatusBadge>
        )}
      </Fact>
      <Fact label={labels.since} {...(isWarned && { note: t('claimList.sheet.sinceWarning') })}>
        {isAnySince ? <StatusBadge tone="warn">{since}</StatusBadge> : since}
      </Fact>
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
