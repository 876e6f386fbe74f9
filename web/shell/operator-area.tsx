import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readGate } from '#contract/access.ts';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import { hasSessionMark, useSession, useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { withWords } from '#web/client/words.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { OperatorFrame } from './operator-frame.tsx';
import { OperatorMainSkeleton, OperatorSkeleton } from './operator-skeleton.tsx';

const AdminLoginPage = lazy(() =>
  withWords(import('#web/access/admin-login-page.tsx'), 'access').then((page) => ({
    default: page.GatedAdminLoginPage,
  })),
);
const AdminGate = lazy(() =>
  withWords(import('#web/access/admin-gate.tsx'), 'access').then((page) => ({ default: page.AdminGate })),
);
const NoAccess = lazy(() =>
  withWords(import('#web/access/no-access.tsx'), 'access').then((page) => ({ default: page.NoAccess })),
);

/**
 * The operators' screens. Signed-out visitors get the operators' sign-in, members a refusal. Operators whose session
 * has not passed the gate get the gate. The frame does not wait for the answer about the gate, because the server
 * refuses every call until it was passed. The screen waits for the site's configuration: all times are in its zone.
 */
export function OperatorArea() {
  const session = useSession();
  const gate = useRead(readGate);
  const config = useSiteConfig();
  const path = useLocation({ select: (location) => location.pathname });
  if (session.isPending) return hasSessionMark() ? <OperatorSkeleton path={path} /> : null;
  if (session.isError) return <Failed error={session.error} onRetry={() => void session.refetch()} />;
  if (session.data === null) {
    if (config.isPending) return null;
    return (
      <Suspense>
        <AdminLoginPage />
      </Suspense>
    );
  }
  if (session.data.role !== 'admin') {
    return (
      <Suspense>
        <NoAccess email={session.data.email} />
      </Suspense>
    );
  }
  if (gate.data?.isOpen === false) {
    return (
      <Suspense>
        <AdminGate onPass={() => void gate.refetch()} />
      </Suspense>
    );
  }
  return (
    <OperatorFrame>
      {config.isPending && <OperatorMainSkeleton path={path} />}
      {config.isError && <Failed error={config.error} onRetry={() => void config.refetch()} />}
      {config.isSuccess && <Outlet />}
    </OperatorFrame>
  );
}

function Failed({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <ErrorState
        title={t('common.failed')}
        text={t(`refusals.${error.code}`)}
        requestId={requestIdOf(error)}
        titleAs="h1"
        onRetry={onRetry}
      />
    </main>
  );
}
