import { Menu } from '@mantine/core';
import { IconCopy, IconDots, IconFlag, IconTrash, IconVolumeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { muteMember } from '#contract/chat.ts';
import { deleteMessage } from '#contract/chat-moderation.ts';
import type { Message } from '#contract/message.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useCopied } from '#web/ui/use-copied.ts';
import styles from './message-menu.module.css';

type MessageMenuProps = {
  message: Message;
  isOwn: boolean;
  /** Whether the reader may delete it for everybody. */
  mayDelete: boolean;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onReport: () => void;
  /** After the message was deleted. */
  onDeleted: () => void;
};

const icon = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The button beside a message and the menu that it opens. */
export function MessageMenu(props: MessageMenuProps) {
  const { message, isOwn, isOpen, onChange } = props;
  const { t } = useTranslation();
  const name = message.user.firstName;
  return (
    <span className={styles.place}>
      <Menu
        position="bottom-start"
        width={232}
        opened={isOpen}
        onChange={onChange}
        // In the panel and not in the list, which would clip it.
        withinPortal
        portalProps={{ target: '#side-panel' }}
        floatingStrategy="fixed"
        zIndex={41}
      >
        <Menu.Target>
          <button
            type="button"
            className={styles.more}
            data-own={isOwn || undefined}
            aria-label={isOwn ? t('chat.moreOwn') : t('chat.more', { name })}
          >
            <IconDots size={20} stroke={1.75} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('chat.menuOf', { name: isOwn ? t('chat.you') : name })}>
          <Items {...props} />
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

/** Muting and reporting are for other members' messages, deleting is for operators. */
function Items({ message, isOwn, mayDelete, onReport, onDeleted }: MessageMenuProps) {
  const { t } = useTranslation();
  const muting = useAct(muteMember);
  const deleting = useAct(deleteMessage);
  const [, copy] = useCopied(() => toast.bad(t('common.copyFailed')));
  const name = message.user.firstName;
  const isOthers = !isOwn && !message.isFromAdmin;
  const options = {
    onError: ({ code }: ApiError) => toast.bad(t(`refusals.${code}`), t('chat.failed')),
  };
  const remove = () =>
    deleting.mutate(
      { params: { id: message.id } },
      {
        ...options,
        onSuccess: () => {
          toast.ok(t('chat.deleted'));
          onDeleted();
        },
      },
    );
  return (
    <>
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copy(message.message)}>
        {t('chat.copy')}
      </Menu.Item>
      {isOthers && (
        <Menu.Item
          leftSection={<IconVolumeOff {...icon} />}
          onClick={() => muting.mutate({ body: { userId: message.userId } }, options)}
        >
          <span className={styles.label} dir="auto">
            {t('chat.mute', { name })}
          </span>
        </Menu.Item>
      )}
      {(isOthers || mayDelete) && <Menu.Divider />}
      {isOthers && (
        <Menu.Item leftSection={<IconFlag {...icon} />} onClick={onReport}>
          {t('chat.report')}
        </Menu.Item>
      )}
      {mayDelete && (
        <Menu.Item className={styles.delete} leftSection={<IconTrash {...icon} />} onClick={remove}>
          {t('chat.delete')}
        </Menu.Item>
      )}
    </>
  );
}
