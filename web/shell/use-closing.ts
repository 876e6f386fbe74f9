import { type RefObject, useEffect } from 'react';
import { CLOSES_AFTER_SCROLL_PX } from '#contract/chat.ts';
import { hasDrafts } from '#web/chat/outbox.ts';
import { useMember } from '#web/client/session.ts';

/**
 * Closes the panel by Escape, and when the page was scrolled since its opening; but not while it holds the focus or a
 * draft.
 */
export function useClosing(
  panel: RefObject<HTMLElement | null>,
  close: (returnsFocus: boolean) => void,
): void {
  const { id: memberId } = useMember();

  useEffect(() => {
    const start = window.scrollY;
    const look = () => {
      if (Math.abs(window.scrollY - start) <= CLOSES_AFTER_SCROLL_PX) return;
      const hasFocus = panel.current?.contains(document.activeElement) === true;
      if (!hasFocus && !hasDrafts(memberId)) close(false);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [panel, close, memberId]);

  useEffect(() => {
    const element = panel.current;
    const takeKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      // A menu takes the key, and is closed already when it comes here.
      if (event.target instanceof Element && event.target.closest('[role="menu"]') !== null) return;
      close(true);
    };
    element?.addEventListener('keydown', takeKey);
    return () => element?.removeEventListener('keydown', takeKey);
  }, [panel, close]);
}
