import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedSuspension } from '#contract/members-suspensions.ts';
import { Fact, FactList, SheetFacts, SheetFoot, SheetPerson } from '#web/admin/kit/sheet-parts.tsx';
import { formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { LiftDialog } from './lift-dialog.tsx';
import { SuspensionBadge } from './suspension-badge.tsx';

/** One suspension: what it blocks, why, who decided, and at the foot its lifting. */
export function SuspensionSheet({ row, onClose }: { row: ListedSuspension; onClose: () => void }) {
  const { t } = useTranslation();
  const [isLifting, setLifting] = useState(false);
  const { id: ownId } = useMember();
  const isOwn = row.isActive && row.userId === ownId;
  return (
    <>
      <SheetFacts>
        <SuspensionFacts row={row} />
      </SheetFacts>
      <SheetFoot
        fine={
          isOwn ? t('suspensions.lift.own') : t(`suspensions.sheet.${row.isActive ? 'fine' : 'endedFine'}`)
        }
      >
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/management-panel-x7k9w/users/member" search={{ id: row.userId }} />
          )}
        >
          {t('member.open')}
        </Button>
        {row.isActive && !isOwn ? (
          <Button onClick={() => setLifting(true)}>{t('suspensions.lift.begin')}</Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </SheetFoot>
      <LiftDialog id={row.id} name={row.userName} isOpen={isLifting} onClose={() => setLifting(false)} />
    </>
  );
}

function SuspensionFacts({ row }: { row: ListedSuspension }) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  return (
    <>
      <SheetPerson
        id={row.userId}
        name={row.userName}
        firstName={row.userFirstName}
        lastName={row.userLastName}
        email={row.userEmail}
      />
      <p>
        <SuspensionBadge row={row} />
      </p>
      <h3>{t('suspensions.sheet.reason')}</h3>
      <p>{row.reason}</p>
      <FactList>
        <Fact label={t('suspensions.columns.type')}>{t(`member.suspensionTypes.${row.suspensionType}`)}</Fact>
        <Fact label={t('suspensions.columns.severity')}>
          {t(`suspensions.choices.severity.${row.severity}`)}
        </Fact>
        <Fact label={t('suspensions.columns.begun')}>{time(row.createdAt)}</Fact>
        <Fact label={t('suspensions.columns.until')}>
          {row.expiresAt === null ? t('member.untilLifted') : time(row.expiresAt)}
        </Fact>
        <Fact label={t('suspensions.sheet.operator')}>
          {row.adminEmail ?? t(`suspensions.sheet.${row.isOwnWord ? 'site' : 'commandLine'}`)}
        </Fact>
        {row.liftedAt !== null && (
          <Fact label={t('suspensions.sheet.lifted')}>
            {time(row.liftedAt)}
            {row.liftedByEmail !== null && `, ${row.liftedByEmail}`}
          </Fact>
        )}
        {row.liftReason !== null && <Fact label={t('suspensions.sheet.liftReason')}>{row.liftReason}</Fact>}
        <Fact label={t('suspensions.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}
