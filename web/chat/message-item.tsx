import { IconTools } from '@tabler/icons-react';
import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/message.ts';
import { dayKeyOf, formatClock, formatDayOfWeek, formatTimeInFull } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { CoinGlyph } from '#web/ui/coin-glyph.tsx';
import { readableBubble } from '#web/ui/contrast.ts';
import { initialsOf } from '#web/ui/initials.ts';
import styles from './message-item.module.css';
import type { Row } from './rows.ts';
import type { TalkKind } from './talk-kind.ts';

type MessageRow = Extract<Row, { kind: 'message' }>;

type MessageItemProps = {
  row: MessageRow;
  isOwn: boolean;
  kind: TalkKind;
  /** The menu of the message. */
  menu?: ReactNode;
  /** What is said about a message on its way. */
  state?: ReactNode;
  /** What stands under it. */
  note?: ReactNode;
};

/** A message with what stands over it: its day, the unread mark, its writer's name and the time. */
export function MessageItem({ row, isOwn, kind, menu, state, note }: MessageItemProps) {
  const { message, isFirst, isNewDay, unreadSince } = row;
  const { t } = useTranslation();
  const language = useLanguage();
  const time = formatClock(message.createdAt, language);
  const name = isOwn ? t('chat.you') : message.user.firstName;
  return (
    <div className={styles.row}>
      {isNewDay && <DayLine at={message.createdAt} />}
      {unreadSince !== null && (
        <p className={styles.day} data-new>
          <span className="num">{t('chat.newSince', { time: formatClock(unreadSince, language) })}</span>
        </p>
      )}
      <article
        className={clsx(styles.message, isOwn && styles.own, message.isFromAdmin && styles.operator)}
        data-first={isFirst || undefined}
        data-message={row.key}
        aria-label={t('chat.said', { name, time })}
        tabIndex={-1}
        style={colorsOf(message)}
      >
        {isFirst && !isOwn && <Sign message={message} kind={kind} />}
        {isFirst && <Head message={message} isOwn={isOwn} kind={kind} time={time} />}
        <div className={styles.body}>
          <p className={styles.bubble}>
            <span className={styles.text} dir="auto">
              {message.message}
            </span>
          </p>
          {menu}
        </div>
        {state}
      </article>
      {note}
    </div>
  );
}

type HeadProps = { message: Message; isOwn: boolean; kind: TalkKind; time: string };

function Head({ message, isOwn, kind, time }: HeadProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <p className={styles.head}>
      {!isOwn && (
        <b className={styles.name} dir="auto">
          {message.user.firstName}
        </b>
      )}
      {message.isFromAdmin && kind === 'general' && !isOwn && (
        <span className={styles.tag}>{t('chat.operator')}</span>
      )}
      <time
        className="num"
        dateTime={message.createdAt}
        title={formatTimeInFull(message.createdAt, language)}
      >
        {time}
      </time>
    </p>
  );
}

/** The initial of a member; an operator's coin in the general channel, and tools in a ticket's. */
function Sign({ message, kind }: { message: Message; kind: TalkKind }) {
  if (!message.isFromAdmin)
    return (
      <span className={styles.sign} aria-hidden="true">
        {[...initialsOf({ firstName: message.user.firstName, lastName: null })].at(0)}
      </span>
    );
  return (
    <span className={styles.sign} data-operator={kind} aria-hidden="true">
      {kind === 'general' ? <CoinGlyph size={28} /> : <IconTools size={16} stroke={2} />}
    </span>
  );
}

function DayLine({ at }: { at: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isToday = dayKeyOf(at) === dayKeyOf(new Date().toISOString());
  return (
    <p className={styles.day}>
      <span>{isToday ? t('chat.today') : formatDayOfWeek(at, language)}</span>
    </p>
  );
}

const shownColors = new Map<string, CSSProperties>();

/** The member's colours, readable. An operator's bubble is paper. */
function colorsOf({ isFromAdmin, user }: Message): CSSProperties | undefined {
  if (isFromAdmin) return undefined;
  const { chatBubbleColor, chatTextColor } = user;
  const key = chatBubbleColor + chatTextColor;
  const known = shownColors.get(key);
  if (known !== undefined) return known;
  const colors = {
    '--bubble': readableBubble(chatBubbleColor, chatTextColor),
    '--bubble-text': chatTextColor,
  } as CSSProperties;
  shownColors.set(key, colors);
  return colors;
}
