import { useEffect, useState } from 'react';
import { TYPING_MS } from '#contract/chat.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { readOperators } from '#contract/members-operators.ts';
import type { OperatorTicket } from '#contract/support.ts';
import { onLiveEvent } from '#web/client/live-line.ts';
import { useMember } from '#web/client/session.ts';
import { nextEnd, type Typists, withoutExpired, withTyping } from '#web/client/typists.ts';
import { useRead } from '#web/client/use-call.ts';

/**
 * An operator who writes an answer thinks between two keys, so the mark is kept this long after the last one, or until
 * the answer is there.
 */
const ANSWERING_SHOWN_MS = 20_000;

/** Who writes into the ticket's channel now: other operators by name, and whether the member does. */
export function useAnswering({ channelId, userId: memberId }: OperatorTicket): {
  operators: string[];
  isMemberWriting: boolean;
} {
  const [typists, setTypists] = useState<Typists>(new Map());
  const { data: operators } = useRead(readOperators);
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (!('channelId' in event) || event.channelId !== channelId) return;
        if (event.type === 'new_message') {
          const isAnswer = event.message.isFromAdmin;
          setTypists((before) => new Map([...before].filter(([id]) => (id === memberId) === isAnswer)));
        }
        if (event.type !== 'user_typing' && event.type !== 'stop_typing') return;
        const isMember = event.userId === memberId;
        if (event.type === 'stop_typing' && !isMember) return;
        const shownMs = isMember ? TYPING_MS.shown : ANSWERING_SHOWN_MS;
        setTypists((before) => withTyping(before, event, Date.now(), shownMs));
      }),
    [channelId, memberId],
  );
  useEffect(() => {
    const end = nextEnd(typists);
    if (end === null) return;
    const timer = setTimeout(
      () => setTypists((before) => withoutExpired(before, Date.now())),
      Math.max(0, end - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [typists]);
  const nameOf = (id: string) => {
    const found = operators?.find((one) => one.id === id);
    return found === undefined ? [] : [fullNameOf(found)];
  };
  return {
    operators: [...typists.keys()].filter((id) => id !== memberId).flatMap(nameOf),
    isMemberWriting: typists.has(memberId),
  };
}

export type Faster = { name: string; at: string };

/** Another operator's response since this component was mounted; undefined if there is none. */
export function useFaster({ responderId, respondedBy, respondedAt }: OperatorTicket): Faster | undefined {
  const ownId = useMember().id;
  const [knownAt] = useState(respondedAt);
  if (respondedAt === null || respondedBy === null) return undefined;
  return respondedAt === knownAt || responderId === ownId
    ? undefined
    : { name: respondedBy, at: respondedAt };
}
