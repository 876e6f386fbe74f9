import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeSettings, readSettings } from '#contract/members.ts';
import { alwaysMailed, noticeKinds } from '#contract/notice-kinds.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './deny-dialog.module.css';

type MailDialogProps = { isOpen: boolean; onClose: () => void };

/** The choice of the kinds of notices that are mailed. Each change is saved at once. */
export function MailDialog({ isOpen, onClose }: MailDialogProps) {
  const { t } = useTranslation();
  const settings = useRead(readSettings, undefined, { enabled: isOpen });
  const changing = useAct(changeSettings);
  const change = (kind: (typeof noticeKinds)[number], mail: boolean) =>
    changing.mutate(
      { body: { notices: { [kind]: { mail } } } },
      {
        onSuccess: () => void settings.refetch(),
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t('notices.mail.failed')),
      },
    );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('notices.settings')} width={480}>
      <div className={styles.switches}>
        {noticeKinds.map((kind) =>
          alwaysMailed.includes(kind) ? (
            <p key={kind} className={styles.always}>
              {t(`notices.mail.kinds.${kind}`)} <span className="dim">{t('notices.mail.always')}</span>
            </p>
          ) : (
            <Switch
              key={kind}
              classNames={{ body: styles.switch ?? '' }}
              labelPosition="left"
              label={t(`notices.mail.kinds.${kind}`)}
              checked={settings.data?.notices[kind].mail ?? false}
              disabled={settings.data === undefined || changing.isPending}
              onChange={(event) => change(kind, event.currentTarget.checked)}
            />
          ),
        )}
      </div>
    </Dialog>
  );
}
