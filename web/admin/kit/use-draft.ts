import { useState } from 'react';
import { isApiError } from '#web/client/call.ts';

/**
 * What an operator edits: a draft of stored settings. What others change is taken over while nothing is edited. The
 * version of the settings that the draft began with goes with the change, so that the server refuses a change by
 * somebody who has not seen the newest.
 */
export function useDraft<Stored extends { version: string }, Draft>(
  stored: Stored,
  draftOf: (stored: Stored) => Draft,
) {
  const [base, setBase] = useState(stored);
  const [seenVersion, setSeenVersion] = useState(stored.version);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const former = draftOf(base);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(former);
  const take = (next: Stored) => {
    setBase(next);
    setDraft(draftOf(next));
  };
  if (stored.version !== seenVersion) {
    setSeenVersion(stored.version);
    if (!isChanged) take(stored);
  }
  return {
    base,
    draft,
    /** The draft of what is stored. */
    former,
    isChanged,
    change: (part: Partial<Draft>) => setDraft({ ...draft, ...part }),
    /** Begins anew with these settings. */
    take,
    /** Begins anew with what is stored. */
    discard: () => take(stored),
  };
}

/** The fields that differ from the former ones; undefined if none does. */
export function changedPart<Fields extends Record<string, unknown>>(
  fields: Fields,
  former: Fields,
): Partial<Fields> | undefined {
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name]),
  );
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Fields>);
}

/** The server's message for each field of a refused change, by the path of the field. */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  const faults = (isApiError(error) ? error.problem?.errors : undefined) ?? [];
  return Object.fromEntries(faults.map(({ path, message }) => [path, message]));
}
