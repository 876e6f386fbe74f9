import { useLayoutEffect, useRef } from 'react';

/**
 * Stands in the content of a dialog or a side menu, and returns the focus to the element that had it before the
 * opening. The library would do so too, but it loses the focus in three cases: if the dialog is mounted open, if the
 * trap takes the focus before the library has recorded the element, and if the dialog is closed before the trap takes
 * the focus. So its `returnFocus` is switched off.
 */
export function FocusReturn({ isOpen }: { isOpen: boolean }) {
  const mark = useRef<HTMLSpanElement>(null);
  const opener = useRef<Element | null>(null);
  // A layout effect runs before the trap can take the focus.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isInside = mark.current?.parentElement?.contains(activeElement);
    if (!isOpen) focusAgain(opener.current);
    // A dialog that is opened again while it closes may have the focus still.
    else if (!isInside) opener.current = activeElement;
  }, [isOpen]);
  // The trap may take the focus after the closing too. This runs before the content is removed.
  useLayoutEffect(() => {
    const content = mark.current?.parentElement;
    return () => {
      const { activeElement } = document;
      if (activeElement === document.body || content?.contains(activeElement)) focusAgain(opener.current);
    };
  }, []);
  return <span ref={mark} hidden />;
}

function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
