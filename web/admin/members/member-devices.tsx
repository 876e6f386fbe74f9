import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { endUserSessions } from '#contract/members-acts.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import { NetworkNote } from '#web/admin/kit/network-note.tsx';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { formatAge, formatTime } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './member-rows.module.css';

/** Where the member is logged in now, and the end of all of these sessions. */
export function MemberDevices({ member }: { member: AccountRecord }) {
  const { t, i18n } = useTranslation();
  const [isEnding, setEnding] = useState(false);
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const { sessions } = member;
  return (
    <section aria-labelledby="sessions">
      <div className={styles.head}>
        <h2 id="sessions">{t('member.sessions.title', { count: sessions.length })}</h2>
        {sessions.length > 0 && (
          <Button variant="outline" color="brick" size="sm" onClick={() => setEnding(true)}>
            {t('member.sessions.end')}
          </Button>
        )}
      </div>
      {sessions.length === 0 && <p className="dim">{t('member.sessions.none')}</p>}
      <ul>
        {sessions.map(({ id, userAgent, address, network, createdAt, lastSeenAt }) => (
          <li key={id} className={styles.row}>
            <IconDeviceMobile size={16} stroke={2} aria-hidden="true" />
            <div>
              <p className={styles.name}>
                {deviceNameIn(language, userAgent)}, <span className="mono">{address}</span>
              </p>
              <p className={styles.note}>
                {t('member.sessions.since', { time: formatTime(createdAt, language) })}
              </p>
              <NetworkNote network={network} />
            </div>
            <span className={styles.when}>{formatAge(lastSeenAt, language)}</span>
          </li>
        ))}
      </ul>
      <EndSessions member={member} isOpen={isEnding} onClose={() => setEnding(false)} />
    </section>
  );
}

type EndSessionsProps = { member: AccountRecord; isOpen: boolean; onClose: () => void };

function EndSessions({ member, isOpen, onClose }: EndSessionsProps) {
  const { t } = useTranslation();
  const ending = useAct(endUserSessions);
  const name = fullNameOf(member);
  const error = ending.error;
  const close = () => {
    ending.reset();
    onClose();
  };
  return (
    <ReasonDialog
      isOpen={isOpen}
      words={{
        title: t('member.sessions.ask', { name }),
        text: t('member.sessions.text', { count: member.sessions.length }),
        label: t('member.sessions.reason'),
        help: t('member.sessions.reasonHelp'),
        required: t('member.sessions.required'),
        submit: t('member.sessions.submit'),
      }}
      isPending={ending.isPending}
      failure={error === null ? null : `${t('member.sessions.failed')}. ${t(`refusals.${error.code}`)}`}
      onSubmit={(reason) =>
        ending.mutate(
          { params: { id: member.id }, body: { reason } },
          {
            onSuccess: ({ endedCount }) => {
              toast.ok(t('member.sessions.done', { count: endedCount, name }));
              close();
            },
          },
        )
      }
      onClose={close}
    />
  );
}
