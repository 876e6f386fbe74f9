import { useEffect, useState } from 'react';

/** A press within this time after a sheet opens was meant for the sheet before it. */
const SETTLE_MS = 600;

/** Whether a sheet has been open long enough for a press to be meant for it. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
