import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readMessages } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import type {
  changeSimpleTicketStatus,
  changeTicketStatus,
  OperatorTicket,
  resolveTicket,
  respondToTicket,
  TicketStatus,
} from '#contract/support.ts';
import { useFieldMessages } from '#web/admin/kit/use-faults.ts';
import type { CallInput } from '#web/client/call.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { keyOf, useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

export const RESPONSE_MAX = 5_000;

/** The calls of a view: each of the two has its own. */
type Calls =
  | { respond: typeof respondToTicket; change: typeof changeTicketStatus }
  | { respond: typeof resolveTicket; change: typeof changeSimpleTicketStatus };

/** What was sent without a known outcome: the same again is no second response. */
type Attempt = { key: string; body: { response: string; status?: TicketStatus; seenSeq?: number } };

/**
 * Sends a response, or only changes the state, and says how it ended. A failure says that the text is kept.
 * @param messages those of the conversation that are shown; a response is refused if the member wrote others
 * @param onFault called with what keeps the response itself from being sent
 */
export function useTicketActs(
  { id }: Pick<OperatorTicket, 'id'>,
  calls: Calls,
  messages: readonly Pick<Message, 'seq'>[] | undefined,
  onFault: (text: string) => void,
) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const messagesOf = useFieldMessages();
  const responding = useAct(calls.respond as typeof respondToTicket);
  const changing = useAct(calls.change);
  const params = { id };
  const attempt = useRef<Attempt | null>(null);
  const seen = messages === undefined ? {} : { seenSeq: messages.at(-1)?.seq ?? 0 };
  const send = (given: { response: string; status?: TicketStatus }, onDone: () => void) => {
    const last = attempt.current;
    const isSame = last?.body.response === given.response && last.body.status === given.status;
    const { key, body } = isSame ? last : { key: newIdempotencyKey(), body: { ...given, ...seen } };
    attempt.current = { key, body };
    const input = { params, body, idempotencyKey: key } as CallInput<typeof respondToTicket>;
    responding.mutate(input, {
      onSuccess: () => {
        attempt.current = null;
        toast.ok(t('tickets.done.responded'));
        onDone();
      },
      onError: (error) => {
        if (!isOutcomeUnknown(error)) attempt.current = null;
        const isUnseen = error.code === 'outcome-changed';
        if (isUnseen) void client.invalidateQueries({ queryKey: keyOf(readMessages) });
        const why = isUnseen ? t('tickets.fail.unseen') : t(`refusals.${error.code}`);
        toast.bad(`${t('tickets.fail.kept')} ${why}`, t('tickets.fail.respond'));
        const wrong = messagesOf(error).response;
        if (isUnseen || wrong !== undefined) onFault(wrong ?? why);
      },
    });
  };
  return {
    isResponding: responding.isPending,
    isChanging: changing.isPending,
    hasResponded: responding.isSuccess,
    /** In the simple view, where the response resolves the ticket. */
    respond: (response: string, onDone: () => void) => send({ response }, onDone),
    /** In the detailed view, with the next state. */
    respondAndSet: (response: string, status: TicketStatus, onDone: () => void) =>
      send({ response, status }, onDone),
    change: (status: TicketStatus) =>
      changing.mutate(
        { params, body: { status } },
        {
          onSuccess: () =>
            toast.ok(t('tickets.done.status', { status: t(`tickets.choices.status.${status}`) })),
          onError: (error) => toast.bad(t(`refusals.${error.code}`), t('tickets.fail.status')),
        },
      ),
  };
}
