import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readLatestAnnouncement } from '#contract/announcements.ts';
import { startSession, useSession, useSiteConfig } from '#web/client/session.ts';
import { readQuery } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { AuthError } from './auth-error.tsx';
import styles from './auth-page.module.css';
import { ForgotForm } from './forgot-form.tsx';
import { GoogleLink } from './google-link.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { trackAct } from './track-act.ts';
import { TypedEmail } from './typed-email.ts';

/** Delay before leaving the page after success, so that the success message can be read. */
const REDIRECT_MS = 500;

type View = 'login' | 'register' | 'forgot';

/** The view that the URL asks for. A referral code without a tab opens the registration. */
function firstView(tab: string | undefined, referralCode: string): View {
  if (tab === 'register' || tab === 'forgot') return tab;
  return referralCode === '' ? 'login' : 'register';
}

/**
 * Sign-in, registration and the request for a new password. After success `/auth` redirects to the front page. With
 * `stays` the view is shown at the URL of a member's screen, and that screen replaces it.
 */
export function AuthPage({ stays = false }: { stays?: boolean }) {
  const search = useSearch({ strict: false });
  const session = useSession();
  const referralCode = search.ref ?? search.referral ?? '';
  const [view, setView] = useState(firstView(search.tab, referralCode));
  const finish = useFinish(stays);
  const typedEmail = useRef('');

  // Redirects signed-in visitors. After a sign-in on this page `finish` redirects, because it waits first.
  const isMember = Boolean(session.data);
  const navigate = useNavigate();
  useEffect(() => {
    if (!stays && isMember && !finish.isUnderWay) void navigate({ to: '/', replace: true });
  }, [stays, isMember, finish.isUnderWay, navigate]);

  return (
    <SignInFrame>
      <TypedEmail value={typedEmail}>
        {view === 'forgot' ? (
          <ForgotForm onBack={() => setView('login')} />
        ) : (
          <SignInTabs
            view={view}
            stays={stays}
            referralCode={referralCode}
            error={search.error}
            onView={setView}
            onDone={finish.start}
          />
        )}
      </TypedEmail>
    </SignInFrame>
  );
}

type SignInTabsProps = {
  view: 'login' | 'register';
  stays: boolean;
  /** The referral code in the URL; the form's initial value. */
  referralCode: string;
  /** The code of a failed sign-in or registration with Google. */
  error: string | undefined;
  onView: (view: View) => void;
  onDone: (act: 'login' | 'register') => void;
};

/** The tabs for sign-in and registration, and the Google button if the site has Google enabled. */
function SignInTabs({ view, stays, referralCode, error, onView, onDone }: SignInTabsProps) {
  const { t } = useTranslation();
  const googleEnabled = useSiteConfig().data?.googleEnabled ?? false;
  const [typedCode, setTypedCode] = useState(referralCode);
  return (
    <>
      <h1>{t(view === 'login' ? 'auth.loginTitle' : 'auth.registerTitle')}</h1>
      <p className="dim">
        {t(view === 'register' ? 'auth.registerLead' : stays ? 'auth.loginToSee' : 'auth.loginLead')}
      </p>
      {error !== undefined && <AuthError code={error} />}
      <Tabs
        value={view}
        onChange={(value) => onView(value === 'register' ? 'register' : 'login')}
        className={styles.tabs}
        keepMounted={false}
      >
        <Tabs.List grow>
          <Tabs.Tab value="login">{t('auth.loginTab')}</Tabs.Tab>
          <Tabs.Tab value="register">{t('auth.registerTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="login" pt="lg">
          <LoginForm onDone={() => onDone('login')} onForgot={() => onView('forgot')} />
        </Tabs.Panel>
        <Tabs.Panel value="register" pt="lg">
          <RegisterForm
            onDone={() => onDone('register')}
            referralCode={referralCode}
            onReferralCode={setTypedCode}
          />
        </Tabs.Panel>
      </Tabs>
      {googleEnabled && <GoogleLink referralCode={typedCode} saysTerms={view === 'login'} />}
    </>
  );
}

/** Fetches the session half a second after signing in. The fetched session opens the member's screen. */
function useFinish(stays: boolean) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const lang = useLanguage();
  const [isUnderWay, setUnderWay] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = (act: 'login' | 'register') => {
    setUnderWay(true);
    trackAct(act);
    timer.current = setTimeout(async () => {
      // The first screen leaves room for the banner if it knows the announcement when it begins.
      const announcement = readQuery(readLatestAnnouncement, { query: { lang } });
      await startSession(client, () => client.prefetchQuery(announcement));
      if (!stays) await navigate({ to: '/', replace: true });
    }, REDIRECT_MS);
  };
  return { isUnderWay, start };
}
