import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Detection, decideDetection, readDetectionHolds } from '#contract/risk-signals.ts';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { formatTime } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import { DetectionBadge } from './detection-badge.tsx';
import { LinkGraph } from './link-graph.tsx';
import { MemberLinks } from './member-links.tsx';
import { ScoreBadge } from './score-badge.tsx';
import { surenessOf } from './sureness.ts';

/** One detection: who is in it, what links them and how sure that is; at the foot the decision. */
export function DetectionSheet({ row, onClose }: { row: Detection; onClose: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const deciding = useAct(decideDetection);
  const isOpen = row.status === 'open';
  const decide = (status: 'confirmed' | 'dismissed') =>
    deciding.mutate(
      { params: { id: row.id }, body: { status } },
      {
        onSuccess: () => toast.ok(t(`detections.sheet.done.${status}`)),
        onError: ({ code }) => toast.bad(refusalWords(code), t('detections.sheet.notDecided')),
      },
    );
  return (
    <>
      <SheetFacts>
        <Facts row={row} />
        <LinkGraph row={row} />
        <HeldCredits id={row.id} />
      </SheetFacts>
      <SheetFoot fine={t(`detections.sheet.${isOpen ? 'fine' : 'decidedFine'}`)}>
        {isOpen ? (
          <>
            <Button variant="default" disabled={deciding.isPending} onClick={() => decide('dismissed')}>
              {t('detections.sheet.dismiss')}
            </Button>
            <Button loading={deciding.isPending} onClick={() => decide('confirmed')}>
              {t('detections.sheet.confirm')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </SheetFoot>
    </>
  );
}

function Facts({ row }: { row: Detection }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  const members = [{ id: row.primaryUserId, name: row.primaryName }, ...row.members];
  return (
    <>
      <p>
        <DetectionBadge status={row.status} /> <ScoreBadge score={row.riskScore} />{' '}
        {row.isHousehold && <StatusBadge tone="plain">{t('detections.household')}</StatusBadge>}
      </p>
      {row.isHousehold && <p>{t('detections.householdText')}</p>}
      <h3>{t(`fraud.rules.${row.detectionMethod}`)}</h3>
      <FactList>
        <Fact label={t('fraud.activities.members')}>
          <MemberLinks members={members} count={row.relatedUserIds.length + 1} />
        </Fact>
        <Fact label={t('detections.sheet.shared')}>
          <span className="mono">{row.sharedIdentifier}</span>
        </Fact>
        <Fact
          label={t('fraud.activities.shared')}
          note={t(`fraud.sure.${surenessOf(row.detectionMethod, row.kinds)}`)}
        >
          {row.kinds.map((kind) => t(`fraud.kinds.${kind}`)).join(', ')}
        </Fact>
        <Fact label={t('detections.columns.confidence')}>
          {t(`detections.choices.confidence.${row.confidence}`)}
        </Fact>
        <Fact label={t('fraud.activities.rule')}>
          {t('fraud.activities.ruleVersion', { rule: row.detectionMethod, version: row.ruleVersion })}
        </Fact>
        <Fact label={t('detections.columns.found')}>{time(row.createdAt)}</Fact>
        {row.decidedAt !== null && (
          <Fact label={t('detections.sheet.decided')}>
            {time(row.decidedAt)}
            {row.decidedBy !== null && `, ${row.decidedBy}`}
          </Fact>
        )}
        <Fact label={t('detections.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}

const heldCredits: Record<string, string> = { holdReason: 'detection' };

/** How many credits wait because of a detection of these members. No decision about a detection books them. */
function HeldCredits({ id }: Pick<Detection, 'id'>) {
  const { t } = useTranslation();
  const { data } = useRead(readDetectionHolds, { params: { id } });
  if (data === undefined || data.count === 0) return null;
  return (
    <p>
      {t('detections.sheet.held', { count: data.count })}{' '}
      <Link className="link" to="/management-panel-x7k9w/approvals" search={heldCredits}>
        {t('detections.sheet.toHeld')}
      </Link>
    </p>
  );
}
