import { useDebouncedValue } from '@mantine/hooks';
import { type Found, search } from '#contract/panel.ts';
import { useRead } from '#web/client/use-call.ts';

/** A shorter text is the beginning of a word, and no id. Two syllables are half of a Korean name and more. */
const LENGTH_MIN = 3;
const SYLLABLES_MIN = 2;

const isLongEnough = (text: string): boolean =>
  text.length >= (/\p{Script=Hangul}/u.test(text) ? SYLLABLES_MIN : LENGTH_MIN);
const TYPING_MS = 200;

export type Search = {
  found: readonly Found[];
  state: 'idle' | 'searching' | 'done' | 'offline' | 'failed';
};

/** What the server has for a text, asked when the typing has paused. */
export function useSearch(text: string): Search {
  const q = text.trim();
  const [asked] = useDebouncedValue(q, TYPING_MS);
  const isAsked = isLongEnough(asked);
  const read = useRead(search, { query: { q: asked } }, { enabled: isAsked, staleTime: 0, gcTime: 0 });
  if (!isLongEnough(q)) return { found: [], state: 'idle' };
  if (q !== asked || read.isFetching) return { found: [], state: 'searching' };
  if (read.error !== null)
    return { found: [], state: read.error.code === 'unreachable' ? 'offline' : 'failed' };
  return { found: read.data ?? [], state: 'done' };
}
