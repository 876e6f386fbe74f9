import { Button, SegmentedControl } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Postback, ReplayOutcome } from '#contract/earning-postbacks.ts';
import { useKeys } from '#web/admin/kit/keys.ts';
import { SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { formatTimeInFull } from '#web/client/format.ts';
import { toast } from '#web/ui/toast.tsx';
import { useCopied } from '#web/ui/use-copied.ts';
import { CallSteps } from './call-steps.tsx';
import { curlOf } from './curl.ts';
import { DryRun, ReplayButton, ReplayDialog } from './dry-run.tsx';
import styles from './postbacks.module.css';
import { useDryRun } from './use-replay.ts';
import { useVerdictWord, VerdictBadge } from './verdict-badge.tsx';

/** One call: as it came, or as it would be booked today. */
export function PostbackSheet({ row, onClose }: { row: Postback; onClose: () => void }) {
  const { t } = useTranslation();
  const [isDry, setDry] = useState(false);
  const dryRun = useDryRun(row.id, isDry);
  const { asked, isAsking, ask, end } = useAsked();
  return (
    <>
      <SheetFacts>
        <Head row={row} />
        <SegmentedControl
          fullWidth
          aria-label={t('postbacks.sheet.which')}
          value={isDry ? 'dry' : 'came'}
          onChange={(value) => setDry(value === 'dry')}
          data={[
            { value: 'came', label: t('postbacks.sheet.came') },
            { value: 'dry', label: t('postbacks.sheet.dry') },
          ]}
        />
        {isDry ? <DryRun row={row} dryRun={dryRun} /> : <CallSteps row={row} />}
      </SheetFacts>
      <Foot
        row={row}
        dryRun={isDry ? dryRun : undefined}
        onDry={() => setDry(true)}
        onReplay={ask}
        onClose={onClose}
      />
      {asked !== undefined && (
        <ReplayDialog
          key={asked.number}
          row={row}
          outcome={asked.outcome}
          isOpen={isAsking}
          onStale={() => void dryRun.refetch()}
          onClose={end}
        />
      )}
    </>
  );
}

/** The outcome that the dialog asks about. It stays the same, and the dialog stays, whatever a poll brings. */
function useAsked() {
  const [asked, setAsked] = useState<{ outcome: ReplayOutcome; number: number }>();
  const [isAsking, setAsking] = useState(false);
  return {
    asked,
    isAsking,
    ask: (outcome: ReplayOutcome) => {
      setAsked((before) => ({ outcome, number: (before?.number ?? 0) + 1 }));
      setAsking(true);
    },
    end: () => setAsking(false),
  };
}

function Head({ row }: { row: Postback }) {
  const { t, i18n } = useTranslation();
  const wordOf = useVerdictWord();
  return (
    <div className={styles.head}>
      <p>
        <VerdictBadge row={row} />
      </p>
      <p className={styles.fine}>
        {row.providerName}, <span className="mono">{row.txId ?? t('postbacks.noTransaction')}</span> ·{' '}
        {formatTimeInFull(row.at, i18n.language)}
      </p>
      {row.replay !== null && (
        <p className={styles.replayed}>
          {t('postbacks.sheet.replayed', {
            time: formatTimeInFull(row.replay.at, i18n.language),
            email: row.replay.operatorEmail,
            verdict: wordOf({ verdict: row.replay.verdict, kind: row.kind }),
          })}
        </p>
      )}
    </div>
  );
}

type FootProps = {
  row: Postback;
  dryRun: ReturnType<typeof useDryRun> | undefined;
  onDry: () => void;
  onReplay: (outcome: ReplayOutcome) => void;
  onClose: () => void;
};

function Foot({ row, dryRun, onDry, onReplay, onClose }: FootProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // The text can still be copied by hand.
  const [isCopied, copyText] = useCopied(() => toast.bad(t('common.copyFailed')));
  const copy = () => copyText(curlOf(row.raw));
  useKeys(
    [
      { hotkey: 'D', act: onDry },
      { hotkey: 'C', act: () => void copy() },
      {
        hotkey: 'M',
        act: () => {
          if (row.memberName === null || row.memberId === null) return;
          void navigate({ to: '/management-panel-x7k9w/users/member', search: { id: row.memberId } });
        },
      },
    ],
    {
      title: t('postbacks.keys.title'),
      lines: [
        { label: t('postbacks.keys.dry'), caps: ['D'] },
        { label: t('postbacks.keys.copy'), caps: ['C'] },
        { label: t('postbacks.keys.member'), caps: ['M'] },
      ],
    },
  );
  return (
    <SheetFoot fine={<FineText row={row} outcome={dryRun?.data} />}>
      <Button variant="default" onClick={() => void copy()}>
        {t(isCopied ? 'postbacks.sheet.copied' : 'postbacks.sheet.copy')}
      </Button>
      <MainAct row={row} dryRun={dryRun} onDry={onDry} onReplay={onReplay} onClose={onClose} />
    </SheetFoot>
  );
}

function FineText({ row, outcome }: { row: Postback; outcome: NonNullable<FootProps['dryRun']>['data'] }) {
  const { t } = useTranslation();
  if (outcome?.isBookable === true && row.replay === null)
    return (
      <>
        {t('postbacks.dry.once', { name: row.providerName })}{' '}
        {outcome.matches === 'former' && t('postbacks.dry.formerStays')}
      </>
    );
  if (outcome !== undefined) return t('postbacks.dry.nothing');
  if (row.quarantineId !== null) return t('postbacks.sheet.inQuarantine');
  if (row.heldId !== null) return t('postbacks.sheet.isHeld');
  return t('postbacks.sheet.fine');
}

/** What is done next: replay, or go where the call waits, or try it. */
function MainAct({ row, dryRun, onDry, onReplay, onClose }: FootProps) {
  const { t } = useTranslation();
  const outcome = dryRun?.data;
  if (dryRun !== undefined)
    return row.replay === null && outcome?.isBookable === true ? (
      <ReplayButton outcome={outcome} onReplay={() => onReplay(outcome)} />
    ) : (
      <Button variant="default" onClick={onClose}>
        {t('common.close')}
      </Button>
    );
  if (row.quarantineId !== null)
    return (
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/management-panel-x7k9w/postbacks/quarantine"
            search={{ open: row.quarantineId ?? undefined }}
          />
        )}
      >
        {t('postbacks.sheet.resolve')}
      </Button>
    );
  if (row.heldId !== null)
    return (
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/management-panel-x7k9w/approvals"
            search={{ open: row.heldId ?? undefined }}
          />
        )}
      >
        {t('postbacks.sheet.decide')}
      </Button>
    );
  return <Button onClick={onDry}>{t('postbacks.sheet.try')}</Button>;
}
