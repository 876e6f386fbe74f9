import { useTranslation } from 'react-i18next';
import { readAudit } from '#contract/ledger-books.ts';
import { FactSheet } from '#web/admin/kit/fact-sheet.tsx';
import { SheetFacts } from '#web/admin/kit/sheet-parts.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { Findings, MadeChecks } from './audit-parts.tsx';
import { AuditBadge, AuditFacts } from './audits-card.tsx';

/** A former audit. */
export function AuditSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const read = useRead(readAudit, { params: { id } });
  return (
    <FactSheet title={t('books.auditTitle', { id })} onClose={onClose}>
      <SheetFacts>
        {read.isPending && <SkeletonRows count={5} />}
        {read.isError && (
          <ErrorState
            title={t('common.failed')}
            text={t(`refusals.${read.error.code}`)}
            requestId={requestIdOf(read.error)}
            onRetry={() => void read.refetch()}
          />
        )}
        {read.data !== undefined && (
          <>
            <p>
              <AuditFacts audit={read.data} />
            </p>
            <p>
              <AuditBadge audit={read.data} />
            </p>
            <Findings audit={read.data} />
            <MadeChecks checks={read.data.checks} />
          </>
        )}
      </SheetFacts>
    </FactSheet>
  );
}
