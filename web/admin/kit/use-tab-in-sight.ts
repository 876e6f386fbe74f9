import { useEffect, useRef } from 'react';

/** A strip of tabs that scrolls to the current one, which may be beyond its edge in a narrow window. */
export function useTabInSight(current: string | undefined) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const tab = strip.current?.querySelector('[data-current]');
    if (!strip.current || !tab) return;
    strip.current.scrollLeft += Math.max(
      0,
      tab.getBoundingClientRect().right - strip.current.getBoundingClientRect().right,
    );
  }, [current]);
  return strip;
}
