import { useEffect, useRef, useState } from 'react';

const SHOWN_MS = 2_000;

/**
 * Copies text to the clipboard. The first value is true for two seconds after the latest copy. `onFailed` is called if
 * the browser refuses, or if the page has no secure origin.
 */
export function useCopied(onFailed: () => void): [boolean, (text: string) => Promise<void>] {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      onFailed();
    }
  };
  return [isCopied, copy];
}
