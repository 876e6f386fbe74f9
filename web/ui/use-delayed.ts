import { useEffect, useState } from 'react';

/** False, then true after `delayMs`, for elements that must not flash when the answer is fast. */
export function useDelayed(delayMs: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return hasPassed;
}
