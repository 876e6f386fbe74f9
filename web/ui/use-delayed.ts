import { useEffect, useState } from 'react';

/** False, then true once `delayMs` have passed: for what should not flash on a fast answer. */
export function useDelayed(delayMs: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return hasPassed;
}
