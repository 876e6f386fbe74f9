import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedChargeback } from '#contract/earning-chargebacks.ts';
import { Fact, FactList, SheetFacts, SheetFoot, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { formatDollars, formatTime } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useProviderLabel } from './use-provider-label.ts';

/** One chargeback: what was taken from whom, by whom and why. It is final. */
export function ChargebackSheet({ row, onClose }: { row: ListedChargeback; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <SheetFacts>
        <ChargebackFacts row={row} />
      </SheetFacts>
      <SheetFoot fine={t('chargebackList.sheet.fine')}>
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/management-panel-x7k9w/users/member" search={{ id: row.userId }} />
          )}
        >
          {t('chargebackList.sheet.member')}
        </Button>
      </SheetFoot>
    </>
  );
}

function ChargebackFacts({ row }: { row: ListedChargeback }) {
  const { t, i18n } = useTranslation();
  const labelOf = useProviderLabel();
  const points = row.amount.replace('-', '');
  const isTest = row.isByOperator && row.provider !== 'Manual';
  return (
    <>
      <SheetSum
        points={points}
        badges={
          <StatusBadge tone={row.isByOperator ? 'warn' : 'bad'}>
            {t(`chargebackList.sheet.${isTest ? 'test' : row.isByOperator ? 'manual' : 'byProvider'}`)}
          </StatusBadge>
        }
      >
        <span className="num">{formatDollars(points)}</span>
      </SheetSum>
      <SheetPerson
        id={row.userId}
        name={row.userName}
        firstName={row.userFirstName}
        lastName={row.userLastName}
        email={row.userEmail}
      />
      <h3>{t('chargebackList.sheet.why')}</h3>
      <p>{row.description}</p>
      <FactList>
        <Fact label={t('chargebackList.columns.reason')}>{t(`chargebackList.reasons.${row.reason}`)}</Fact>
        <Fact label={t('chargebackList.columns.provider')}>{labelOf(row)}</Fact>
        <Fact label={t('chargebackList.columns.date')}>{formatTime(row.createdAt, i18n.language)}</Fact>
        {row.isByOperator && (
          <Fact label={t('chargebackList.sheet.operator')}>
            {row.adminEmail ?? t('chargebackList.sheet.commandLine')}
          </Fact>
        )}
        <Fact label={t('chargebackList.columns.transaction')}>
          <span className="mono">{row.txId ?? '–'}</span>
          {row.txId !== null && <CopyButton text={row.txId} label={t('chargebackList.sheet.copy')} />}
        </Fact>
        <Fact label={t('chargebackList.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}
