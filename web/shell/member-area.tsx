import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestIdOf } from '#web/client/call.ts';
import { useSettingsOnStart } from '#web/client/display-settings.ts';
import { useLiveNews } from '#web/client/live-news.ts';
import { useSession, useSiteConfig } from '#web/client/session.ts';
import { withWords } from '#web/client/words.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Announcements } from './announcements.tsx';
import { useBehaviourReports } from './behaviour-reports.ts';
import { BottomBar } from './bottom-bar.tsx';
import { FloatingChatButton } from './chat-buttons.tsx';
import { Footer } from './footer.tsx';
import { SidePanel } from './lazy-side-panel.ts';
import styles from './member-area.module.css';
import { TopBar } from './top-bar.tsx';
import { useCreditNews } from './use-credit-news.ts';
import { useSidePanel } from './use-side-panel.ts';

const FrontPage = lazy(() =>
  withWords(import('#web/landing/front-page.tsx'), 'landing').then((page) => ({ default: page.FrontPage })),
);
const AuthPage = lazy(() =>
  withWords(import('#web/access/auth-page.tsx'), 'access').then((page) => ({ default: page.AuthPage })),
);
const VisitorVerifyPage = lazy(() =>
  withWords(import('#web/coinflip/visitor-verify-page.tsx'), 'coinflip').then((page) => ({
    default: page.VisitorVerifyPage,
  })),
);
const WallGate = lazy(() =>
  withWords(import('#web/earning/wall-gate.tsx'), 'earning').then((page) => ({ default: page.WallGate })),
);

/**
 * The member's screens in their frame. Signed-out visitors get the front page at `/`, the verification page at
 * `/coin-flip/verify`, a sign-in card at the offer wall, and the login view at every other URL. After signing in they
 * are on the screen they asked for.
 */
export function MemberArea() {
  const { t } = useTranslation();
  const session = useSession();
  const config = useSiteConfig();
  const settings = useSettingsOnStart();
  const path = useLocation({ select: (location) => location.pathname });

  // Waits for all three: a configuration that arrives later would shift the layout.
  if (session.isPending || config.isPending || settings.isPending) return null;
  if (session.isError) {
    return (
      <main id="main" tabIndex={-1} className="wrap">
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${session.error.code}`)}
          requestId={requestIdOf(session.error)}
          onRetry={() => void session.refetch()}
        />
      </main>
    );
  }
  if (session.data === null) return <SignedOut path={path} />;
  return <MemberFrame />;
}

/** The page that a signed-out visitor gets at a member's URL. */
function SignedOut({ path }: { path: string }) {
  const [wantsLogin, setWantsLogin] = useState(false);
  const page =
    path === '/' ? (
      <FrontPage />
    ) : path === '/coin-flip/verify' ? (
      <VisitorVerifyPage />
    ) : path === '/kiwiwall-offers' && !wantsLogin ? (
      <WallGate onLogin={() => setWantsLogin(true)} />
    ) : (
      <AuthPage stays />
    );
  return <Suspense>{page}</Suspense>;
}

function MemberFrame() {
  useLiveNews(useCreditNews());
  useBehaviourReports();
  const panel = useSidePanel();
  return (
    <div className={styles.frame}>
      <TopBar panel={panel} />
      <Announcements />
      <main id="main" tabIndex={-1} className="wrap">
        <Outlet />
      </main>
      <Footer />
      <BottomBar panel={panel} />
      <FloatingChatButton panel={panel} />
      {panel.isOpen && (
        <Suspense>
          <SidePanel panel={panel} />
        </Suspense>
      )}
    </div>
  );
}
