import { useEffect, useRef, useState } from 'react';

const MARK_MS = 1_000;

/** The ids that arrived after the first load. Each stays in the set for a second. */
export function useNewRows(ids: string[] | undefined): ReadonlySet<string> {
  const known = useRef<Set<string> | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const key = ids?.join(' ');
  useEffect(() => {
    if (key === undefined) return;
    const current = key === '' ? [] : key.split(' ');
    const before = known.current;
    known.current = new Set(current);
    const fresh = before === null ? [] : current.filter((id) => !before.has(id));
    if (fresh.length === 0) return;
    setMarked(new Set(fresh));
    const timer = setTimeout(() => setMarked(new Set()), MARK_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return marked;
}
