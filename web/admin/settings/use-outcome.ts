import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionStep } from '#contract/connection.ts';
import { type Faults, useFieldMessages, useFocusOnFault } from '#web/admin/kit/use-faults.ts';
import type { ApiError } from '#web/client/call.ts';

/** The path of one of the `settings` in the server's messages. */
export const settingPath = (name: string): string => ['settings', name].join('.');

type Messages = Faults<string>;

/** What a settings card shows of its last save and test: messages at fields, the failure, and the steps of the test. */
export function useOutcome() {
  const { t } = useTranslation();
  const [messages, setMessages] = useState<Messages>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isStale, setStale] = useState(false);
  const messagesIn = useFieldMessages();
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFault(form, messages);
  const [steps, setSteps] = useState<readonly ConnectionStep[] | null>(null);
  return {
    /** The form, whose first wrong field gets the focus. */
    ref: form,
    failure,
    isStale,
    steps,
    setSteps,
    setMessages,
    messageOf: (path: string): string | undefined => messages[path],
    /** Shows a refused call: at the fields that it names, and at the foot, after `title` if there is one. */
    fail: (error: ApiError, title?: string) => {
      setMessages(messagesIn(error));
      setStale(error.code === 'settings-changed');
      const text = t(`refusals.${error.code}`);
      setFailure(title === undefined ? text : `${title}. ${text}`);
    },
    begin: () => {
      setMessages({});
      setFailure(null);
      setStale(false);
    },
  };
}
