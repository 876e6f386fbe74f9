import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus from a dialog or a side menu to the element that had it before the opening. The library would do
 * so too, but it loses the focus in three cases: if the dialog is mounted open, if the trap takes the focus before the
 * library has recorded the element, and if the dialog is closed before the trap takes the focus. So its `returnFocus`
 * is switched off.
 *
 * `content` is the ref of the content, `onClosed` is to be called when the closing transition ends.
 */
export function useDialogFocus(isOpen: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  // A layout effect runs before the trap can take the focus, and its end before the content is removed.
  useLayoutEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    return () => focusAgain(opener.current);
  }, [isOpen]);
  const onClosed = () => {
    const { activeElement } = document;
    if (activeElement === document.body || content.current?.contains(activeElement))
      focusAgain(opener.current);
  };
  return { content, onClosed };
}

function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
