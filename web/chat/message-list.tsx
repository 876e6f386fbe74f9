import { IconArrowDown } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Message } from '#contract/message.ts';
import { MessageItem } from './message-item.tsx';
import styles from './message-list.module.css';
import { MessageMenu } from './message-menu.tsx';
import { MutedLine, OutgoingState } from './message-state.tsx';
import type { BoxAddress, Outgoing } from './outbox.ts';
import type { Row } from './rows.ts';
import type { TalkKind } from './talk-kind.ts';
import { usePlace } from './use-place.ts';

type MessageListProps = {
  kind: TalkKind;
  rows: readonly Row[];
  /** What stands under messages, by the message's id. */
  notes: ReadonlyMap<string, ReactNode> | undefined;
  address: BoxAddress;
  outgoing: readonly Outgoing[];
  /** Whether the reader may delete others' messages. */
  mayDelete: boolean;
  hasUnread: boolean;
  /** How many messages below are new. */
  unseen: number;
  onSeen: (row: Row) => void;
  onBeginning: () => void;
  onReport: (message: Message) => void;
  onDeleted: () => void;
};

/** The messages. Only those near the sight are in the document, however many there are. */
export function MessageList(props: MessageListProps) {
  const { kind, rows, address, unseen } = props;
  const { t } = useTranslation();
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const place = usePlace(list, scroller, { ...props, ownId: address.memberId });
  const [openKey, setOpenKey] = useState<string | null>(null);
  const { current, takeKey, takeFocus } = useMessageKeys({
    rows,
    list,
    scroller,
    goToEnd: place.goToEnd,
    open: setOpenKey,
  });
  const isPrepended = useIsPrepended(rows);

  const draw = (row: Row) => (
    <ListRow
      key={row.key}
      row={row}
      list={props}
      isOpen={openKey === row.key}
      onMenu={(isOpen) => setOpenKey(isOpen ? row.key : null)}
    />
  );

  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.list}
        role="log"
        // New messages are told beside the list: it also changes when the reader scrolls.
        aria-live="off"
        aria-label={t(`chat.of.${kind}.messages`)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls can be reached by the keyboard.
        tabIndex={0}
        data-placed={place.isPlaced || undefined}
        onKeyDown={takeKey}
        onFocus={takeFocus}
      >
        <div className={styles.space} />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={isPrepended}
          keepMounted={current === -1 ? [] : [current]}
          onScroll={place.look}
        >
          {draw}
        </Virtualizer>
        <div className={styles.foot} />
      </div>
      {!place.isAtEnd && unseen > 0 && <NewPill count={unseen} onPress={place.goToEnd} />}
    </div>
  );
}

/** News below the sight. Only a press goes there. */
function NewPill({ count, onPress }: { count: number; onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={styles.pill} onClick={onPress}>
      <IconArrowDown size={16} stroke={2} aria-hidden="true" />
      <span className="num">{t('chat.new', { count })}</span>
    </button>
  );
}

type ListRowProps = {
  row: Row;
  list: MessageListProps;
  isOpen: boolean;
  onMenu: (isOpen: boolean) => void;
};

function ListRow({ row, list, isOpen, onMenu }: ListRowProps) {
  if (row.kind === 'muted')
    return <MutedLine userId={row.userId} firstName={row.firstName} count={row.count} />;
  const { kind, address, outgoing, mayDelete, onReport, onDeleted } = list;
  const waiting = outgoing.find(({ clientId }) => clientId === row.key);
  const isOwn = row.message.userId === address.memberId;
  return (
    <MessageItem
      row={row}
      isOwn={isOwn}
      kind={kind}
      note={list.notes?.get(row.message.id)}
      state={waiting && <OutgoingState address={address} outgoing={waiting} />}
      menu={
        !row.isPending && (
          <MessageMenu
            message={row.message}
            isOwn={isOwn}
            mayDelete={mayDelete}
            isOpen={isOpen}
            onChange={onMenu}
            onReport={() => onReport(row.message)}
            onDeleted={onDeleted}
          />
        )
      }
    />
  );
}

/** Whether this rendering puts older rows before those of the last one, so that the list keeps its place by the end. */
function useIsPrepended(rows: readonly Row[]): boolean {
  const firstKey = useRef<string | undefined>(undefined);
  const before = firstKey.current;
  const isPrepended =
    before !== undefined && rows[0]?.key !== before && rows.some(({ key }) => key === before);
  useLayoutEffect(() => {
    firstKey.current = rows[0]?.key;
  });
  return isPrepended;
}

type KeysOptions = {
  rows: readonly Row[];
  list: React.RefObject<VirtualizerHandle | null>;
  scroller: React.RefObject<HTMLDivElement | null>;
  goToEnd: () => void;
  open: (key: string) => void;
};

/** Arrows move the focus from message to message, Enter opens the menu of one, End goes to the newest. */
function useMessageKeys({ rows, list, scroller, goToEnd, open }: KeysOptions) {
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const isMoving = useRef(false);
  const current = rows.findIndex(({ key }) => key === currentKey);

  // The row is in the document only after the rendering that keeps it there.
  useLayoutEffect(() => {
    if (!isMoving.current || currentKey === null) return;
    const element = scroller.current?.querySelector<HTMLElement>(
      `[data-message="${CSS.escape(currentKey)}"]`,
    );
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });

  const moveTo = (from: number, step: 1 | -1) => {
    let index = from;
    while (rows[index]?.kind === 'muted') index += step;
    const row = rows[index];
    if (row === undefined) return;
    isMoving.current = true;
    setCurrentKey(row.key);
    list.current?.scrollToIndex(index, { align: 'nearest' });
    if (index === rows.length - 1) goToEnd();
  };

  const takeKey = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    // The menu is another part of the document.
    if (!event.currentTarget.contains(target) || event.altKey || event.ctrlKey || event.metaKey) return;
    const isInMessage = target.closest('[data-message]') !== null;
    if (event.key === 'Enter' && target.dataset.message !== undefined) open(target.dataset.message);
    else if (event.key === 'ArrowUp') moveTo(isInMessage ? current - 1 : rows.length - 1, -1);
    else if (event.key === 'ArrowDown') moveTo(isInMessage ? current + 1 : rows.length - 1, 1);
    else if (event.key === 'End') moveTo(rows.length - 1, -1);
    else return;
    event.preventDefault();
  };

  const takeFocus = useCallback((event: React.FocusEvent<HTMLElement>) => {
    const message = (event.target as HTMLElement).closest<HTMLElement>('[data-message]');
    if (message !== null) setCurrentKey(message.dataset.message ?? null);
  }, []);

  return { current, takeKey, takeFocus };
}
