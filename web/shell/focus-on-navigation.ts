import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession } from '#web/client/session.ts';

/**
 * Focuses the heading after a navigation, so that a screen reader starts there and not in the menu. It also does so
 * when signing in replaced the form and the focus was lost.
 */
export function useFocusOnNavigation(): void {
  // The path of the rendered page. The URL changes earlier, while the old page is still shown.
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const pathBefore = useRef(path);
  useEffect(() => {
    const isFirst = pathBefore.current === undefined;
    if (pathBefore.current === path) return;
    pathBefore.current = path;
    if (!isFirst) focusHeading();
  }, [path]);

  const session = useSession().data;
  const member = session === undefined ? undefined : (session?.id ?? null);
  const memberBefore = useRef(member);
  useEffect(() => {
    const isFirst = memberBefore.current === undefined;
    if (memberBefore.current === member) return;
    memberBefore.current = member;
    if (!isFirst && document.activeElement === document.body) focusHeading();
  }, [member]);
}

const WAIT_MS_MAX = 10_000;

/** Focuses the heading, or waits until it is rendered. Stops waiting when another element takes the focus. */
function focusHeading(): void {
  if (didFocusHeading()) return;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body || didFocusHeading()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), WAIT_MS_MAX);
}

function didFocusHeading(): boolean {
  const main = document.getElementById('main');
  const heading = main?.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  const target = heading ?? main;
  target?.focus({ preventScroll: true });
  return target !== null;
}
