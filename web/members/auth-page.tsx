import { Button, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession, useSiteConfig } from '#web/shell/session.ts';
import styles from './auth-page.module.css';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** How long the good news stands before the page changes. */
const REDIRECT_MS = 500;

/**
 * Signing in and registering. At `/auth` a person goes to the front page afterwards; where `stays` is set, the
 * view stands at the URL of a member's screen and gives way to it.
 */
export function AuthPage({ stays = false }: { stays?: boolean }) {
  const { t } = useTranslation();
  const search = useSearch({ strict: false });
  const session = useSession();
  const googleEnabled = useSiteConfig().data?.googleEnabled ?? false;
  const referralCode = search.ref ?? search.referral ?? '';
  const [tab, setTab] = useState(search.tab === 'register' || referralCode !== '' ? 'register' : 'login');
  const finish = useFinish(stays);

  // Who comes here signed in has nothing to do here. After signing in here, `finish` says when to go.
  const isMember = Boolean(session.data);
  const navigate = useNavigate();
  useEffect(() => {
    if (!stays && isMember && !finish.isUnderWay) void navigate({ to: '/', replace: true });
  }, [stays, isMember, finish.isUnderWay, navigate]);

  return (
    <SignInFrame>
      <h1>{t(tab === 'login' ? 'auth.loginTitle' : 'auth.registerTitle')}</h1>
      <p className="dim">
        {t(tab === 'register' ? 'auth.registerLead' : stays ? 'auth.loginToSee' : 'auth.loginLead')}
      </p>
      <Tabs
        value={tab}
        onChange={(value) => setTab(value ?? 'login')}
        className={styles.tabs}
        keepMounted={false}
      >
        <Tabs.List grow>
          <Tabs.Tab value="login">{t('auth.loginTab')}</Tabs.Tab>
          <Tabs.Tab value="register">{t('auth.registerTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="login" pt={24}>
          <LoginForm onDone={finish.start} />
        </Tabs.Panel>
        <Tabs.Panel value="register" pt={24}>
          <RegisterForm onDone={finish.start} referralCode={referralCode} />
        </Tabs.Panel>
      </Tabs>
      {googleEnabled && (
        <>
          <p className={styles.or}>{t('auth.or')}</p>
          <Button component="a" href="/api/auth/google" variant="default" fullWidth>
            {t('auth.google')}
          </Button>
        </>
      )}
    </SignInFrame>
  );
}

/** Half a second after signing in, fetches who it is; that alone opens the member's screen. */
function useFinish(stays: boolean) {
  const { refetch } = useSession();
  const navigate = useNavigate();
  const [isUnderWay, setUnderWay] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = () => {
    setUnderWay(true);
    timer.current = setTimeout(async () => {
      await refetch();
      if (!stays) await navigate({ to: '/', replace: true });
    }, REDIRECT_MS);
  };
  return { isUnderWay, start };
}
