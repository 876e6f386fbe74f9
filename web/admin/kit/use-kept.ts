import { useState } from 'react';

/**
 * What operators typed in forms and did not send, by the form and what it is about. It is kept while the window is
 * open: Escape, another tab of the sheet and the next row take a form away, and its text must not go with it.
 */
const keptByKey = new Map<string, unknown>();

/** A form's state that is kept until it is sent or emptied. Without a key it goes with the form. */
export function useKept<Value>(key: string | undefined, start: Value) {
  const [value, setValue] = useState((keptByKey.get(key ?? '') as Value | undefined) ?? start);
  return {
    value,
    change: (next: Value) => {
      if (key !== undefined) keptByKey.set(key, next);
      setValue(next);
    },
    /** Called when it was sent. */
    forget: () => {
      if (key !== undefined) keptByKey.delete(key);
    },
  };
}
