import { useTranslation } from 'react-i18next';
import type {
  changeSimpleTicketStatus,
  changeTicketStatus,
  OperatorTicket,
  resolveTicket,
  respondToTicket,
  TicketStatus,
} from '#contract/support.ts';
import type { CallInput } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

export const RESPONSE_MAX = 5_000;

/** The calls of a view: each of the two has its own. */
type Calls =
  | { respond: typeof respondToTicket; change: typeof changeTicketStatus }
  | { respond: typeof resolveTicket; change: typeof changeSimpleTicketStatus };

/** Sends a response, or only changes the state, and says how it ended. A failure says that the text is kept. */
export function useTicketActs({ id }: Pick<OperatorTicket, 'id'>, calls: Calls) {
  const { t } = useTranslation();
  const responding = useAct(calls.respond as typeof respondToTicket);
  const changing = useAct(calls.change);
  const params = { id };
  const send = (body: { response: string; status?: TicketStatus }, onDone: () => void) =>
    responding.mutate({ params, body } as CallInput<typeof respondToTicket>, {
      onSuccess: () => {
        toast.ok(t('tickets.done.responded'));
        onDone();
      },
      onError: (error) =>
        toast.bad(`${t('tickets.fail.kept')} ${t(`refusals.${error.code}`)}`, t('tickets.fail.respond')),
    });
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
