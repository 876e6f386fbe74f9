import { useState } from 'react';
import type { OperatorTicket } from '#contract/support.ts';
import { useOwnTyping } from '#web/client/use-own-typing.ts';
import type { Drafts } from './drafts.ts';
import { type Filled, gapsIn } from './fill-reply.ts';

/** What is written, kept for this ticket, and what the last canned reply took from the records. */
export function useResponse(ticket: OperatorTicket, drafts: Drafts) {
  const [response, setResponse] = useState(drafts.get(ticket.id) ?? '');
  const [used, setUsed] = useState<Filled['used']>([]);
  const typing = useOwnTyping(ticket.channelId);
  const text = response.trim();
  const write = (given: string) => {
    setResponse(given);
    drafts.set(ticket.id, given);
    if (given.trim() === '') typing.stop();
    else typing.type();
  };
  return {
    response,
    text,
    used: text === '' ? [] : used,
    gaps: gapsIn(response),
    write,
    /** What was written before stays above it. */
    add: (filled: Filled) => {
      write(text === '' ? filled.text : `${text}\n\n${filled.text}`);
      setUsed(filled.used);
    },
  };
}
