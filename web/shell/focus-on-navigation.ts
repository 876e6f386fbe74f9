import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** After a change of page the focus goes to its content, so that a screen reader starts there and not in the menu. */
export function useFocusOnNavigation(): void {
  const path = useLocation({ select: (location) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
