import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subscribeAgain, unsubscribe } from '#contract/broadcasts.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

type State = 'asking' | 'ended' | 'again' | 'lost';

/**
 * Ends the mails of news with the token from one of them, by a press of a button, because mail scanners open links. It
 * can be taken back here, and later in the settings.
 */
export function UnsubscribePage() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ strict: false });
  const [state, setState] = useState<State>(token === '' ? 'lost' : 'asking');
  const ending = useAct(unsubscribe);
  const undoing = useAct(subscribeAgain);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(state);
  // The pressed button is gone then.
  useEffect(() => {
    if (shown.current !== state) heading.current?.focus();
    shown.current = state;
  }, [state]);
  const onError = (error: ApiError) => toast.bad(t(`refusals.${error.code}`), t('access.unsubscribe.failed'));
  const answered = (next: State) => ({
    onSuccess: ({ isKnown }: { isKnown: boolean }) => setState(isKnown ? next : 'lost'),
    onError,
  });
  const end = () => ending.mutate({ params: { token } }, answered('ended'));
  const takeBack = () => undoing.mutate({ params: { token } }, answered('again'));
  return (
    <SignInFrame>
      <h1 ref={heading} tabIndex={-1}>
        {t(`access.unsubscribe.${state}.title`)}
      </h1>
      <p className="dim" role="status">
        {t(`access.unsubscribe.${state}.text`)}
      </p>
      <div className={`${styles.form} ${styles.apart}`}>
        {(state === 'asking' || state === 'again') && (
          <Button size="lg" fullWidth loading={ending.isPending} onClick={end}>
            {t('access.unsubscribe.submit')}
          </Button>
        )}
        {state === 'ended' && (
          <Button variant="default" size="lg" fullWidth loading={undoing.isPending} onClick={takeBack}>
            {t('access.unsubscribe.undo')}
          </Button>
        )}
        <Button
          component="a"
          href="/settings"
          variant={state === 'lost' ? 'filled' : 'subtle'}
          size="lg"
          fullWidth
        >
          {t('access.unsubscribe.settings')}
        </Button>
      </div>
    </SignInFrame>
  );
}
