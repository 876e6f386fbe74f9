import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession } from '#web/client/session.ts';

/**
 * After a change of page the focus goes to its heading, so that a screen reader starts there and not in the menu. So
 * it does where signing in put another view in the place of the form, and the focus was left on nothing.
 */
export function useFocusOnNavigation(): void {
  // The page that is drawn; the address alone changes while the page before is still there.
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

/** Focuses the heading; where nothing is drawn yet, as soon as it is, unless somebody went elsewhere meanwhile. */
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
