import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoControl, isWhole } from '#contract/fields.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatPoints } from '#web/client/format.ts';
import { showField } from './show-field.ts';
import { fieldMessagesOf } from './use-draft.ts';

/** What is wrong with the fields of a form, by their names. */
export type Faults<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * The errors at the fields of a form. When some are shown, the first wrong field of the form gets the focus, once its
 * error is rendered.
 */
export function useFaults<Name extends string, Root extends HTMLElement = HTMLFormElement>() {
  const [faults, setFaults] = useState({} as Faults<Name>);
  const ref = useRef<Root>(null);
  useFocusOnFault(ref, faults);
  return {
    ref,
    faults,
    show: setFaults as (found: Faults<Name>) => void,
    clear: () => setFaults({} as Faults<Name>),
  };
}

/** The same for errors that are kept elsewhere. */
export function useFocusOnFault(ref: React.RefObject<HTMLElement | null>, faults: object): void {
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      showField(ref.current?.querySelector('[aria-invalid="true"]') ?? null);
  }, [ref, faults]);
}

/** Says that a text has a character that the server refuses; undefined if it has none. */
export function useCharacterFault(): (text: string) => string | undefined {
  const { t } = useTranslation();
  return (text) => (isWhole(text) && hasNoControl(text) ? undefined : t('fieldFaults.character'));
}

const lengthMessage = /^At most (?<max>\d+) characters$/;
const characterMessage = /^(?:Control characters are|Half a character, .* is) not allowed$/;
const requiredMessage = /^(?:\w+ is )?[Rr]equired$/;

/**
 * What the server says of the fields of a refused call, by their paths. What it says of any text is in the language of
 * the screen; the rest is English.
 */
export function useFieldMessages(): (error: ApiError) => Faults<string> {
  const { t } = useTranslation();
  const wordsOf = (message: string): string => {
    const max = lengthMessage.exec(message)?.groups?.max;
    if (max !== undefined) return t('fieldFaults.tooLong', { max: formatPoints(max) });
    if (characterMessage.test(message)) return t('fieldFaults.character');
    return requiredMessage.test(message) ? t('fieldFaults.required') : message;
  };
  return (error) =>
    Object.fromEntries(
      Object.entries(fieldMessagesOf(error)).map(([path, message]) => [path, wordsOf(message)]),
    );
}
