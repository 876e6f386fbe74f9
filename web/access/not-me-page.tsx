import { Button } from '@mantine/core';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { denyByMail } from '#contract/access-denial.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The e-mail address of the account that its member has just locked, in the app. */
    lockedEmail?: string;
  }
}

type State = 'asking' | 'done' | 'lost';

/**
 * Locks an account with the token from a mail. It needs a press of a button, because mail scanners open links. A member
 * who locked the account in the app is led here too, and reads the same.
 */
export function NotMePage() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ strict: false });
  const lockedEmail = useLocation({ select: (location) => location.state.lockedEmail });
  const arrival = token === '' ? 'lost' : 'asking';
  const [state, setState] = useState<State>(lockedEmail === undefined ? arrival : 'done');
  const denying = useAct(denyByMail);
  const heading = useHeadingFocus(state, arrival);
  const fail = (error: ApiError) => {
    const isLost = ['wrong-code', 'code-expired', 'invalid-request'].includes(error.code);
    if (isLost) setState('lost');
    else toast.bad(t(`refusals.${error.code}`), t('access.notMe.failed'));
  };
  const deny = () => {
    if (denying.isPending) return;
    denying.mutate({ body: { token } }, { onSuccess: () => setState('done'), onError: fail });
  };
  return (
    <SignInFrame>
      <h1 ref={heading} tabIndex={-1}>
        {t(`access.notMe.${state}.title`)}
      </h1>
      <p className="dim" role="status">
        {t(`access.notMe.${state}.text`)}
      </p>
      <div className={`${styles.form} ${styles.apart}`}>
        {state === 'asking' ? (
          <>
            <Button color="brick" size="lg" fullWidth loading={denying.isPending} onClick={deny}>
              {t('access.notMe.submit')}
            </Button>
            <Button component="a" href="/" variant="default" size="lg" fullWidth>
              {t('access.notMe.close')}
            </Button>
          </>
        ) : lockedEmail !== undefined ? (
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/auth" search={{ tab: 'forgot' }} state={{ lockedEmail }} />
            )}
            size="lg"
            fullWidth
          >
            {t('access.notMe.password')}
          </Button>
        ) : (
          <Button component="a" href="/auth?tab=forgot" size="lg" fullWidth>
            {t('access.notMe.password')}
          </Button>
        )}
      </div>
    </SignInFrame>
  );
}

/** Moves the focus to the heading when the state is another one, because the pressed button is gone then. */
function useHeadingFocus(state: State, arrival: State) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(arrival);
  useEffect(() => {
    if (before.current !== state) heading.current?.focus();
    before.current = state;
  }, [state]);
  return heading;
}
