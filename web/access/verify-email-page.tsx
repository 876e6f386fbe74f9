import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendEmailVerification, verifyEmail } from '#contract/access-credentials.ts';
import type { ApiError } from '#web/client/call.ts';
import { useSession } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

type State = 'asking' | 'done' | 'lost' | 'sent';

/**
 * Confirms an e-mail address with the token from a mail. It needs a press of a button, because mail scanners open
 * links.
 */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ strict: false });
  const [state, setState] = useState<State>(token === '' ? 'lost' : 'asking');
  const confirming = useAct(verifyEmail);
  const fail = (error: ApiError) => {
    const isLost = ['wrong-code', 'code-expired', 'invalid-request'].includes(error.code);
    if (isLost) setState('lost');
    else toast.bad(t(`refusals.${error.code}`), t('access.verify.failed'));
  };
  const confirm = () => {
    if (confirming.isPending) return;
    confirming.mutate({ body: { token } }, { onSuccess: () => setState('done'), onError: fail });
  };
  return (
    <SignInFrame>
      <h1>{t(`access.verify.${state}.title`)}</h1>
      <p className="dim" role="status">
        {t(`access.verify.${state}.text`)}
      </p>
      <div className={`${styles.form} ${styles.apart}`}>
        {state === 'asking' && (
          <Button size="lg" fullWidth loading={confirming.isPending} onClick={confirm}>
            {t('access.verify.submit')}
          </Button>
        )}
        {state === 'lost' && <AskAgain onSent={() => setState('sent')} />}
        {(state === 'done' || state === 'sent') && (
          <Button component="a" href="/" size="lg" fullWidth>
            {t('access.verify.home')}
          </Button>
        )}
      </div>
    </SignInFrame>
  );
}

/** Sends a new link to signed-in members only, so that nobody can send mails to strangers. */
function AskAgain({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation();
  const isMember = Boolean(useSession().data);
  const asking = useAct(sendEmailVerification);
  if (!isMember)
    return (
      <Button component="a" href="/auth" size="lg" fullWidth>
        {t('access.toLogin')}
      </Button>
    );
  const ask = () =>
    asking.mutate(
      {},
      {
        onSuccess: onSent,
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('access.verify.failed')),
      },
    );
  return (
    <Button size="lg" fullWidth loading={asking.isPending} onClick={ask}>
      {t('access.verify.again')}
    </Button>
  );
}
