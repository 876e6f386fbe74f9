/**
 * Keeps what is typed between the opening of the palette and its field's focus: the first time its script is fetched
 * meanwhile. Without this, the letters would be keys of the list below it, and Enter would press what has the focus
 * there. A press of Enter is dropped, because nobody has seen yet what it would do.
 */
const LOADING_MS_MAX = 10_000;

let text = '';
let current = new AbortController();

/** @param onEscape the opening is given up */
export function beginTypingAhead(onEscape: () => void): void {
  current.abort();
  const controller = new AbortController();
  current = controller;
  text = '';
  const { signal } = controller;
  const end = () => controller.abort();
  const timer = setTimeout(end, LOADING_MS_MAX);
  signal.addEventListener('abort', () => clearTimeout(timer));
  window.addEventListener('pointerdown', end, { signal });
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      end();
      onEscape();
    } else if (event.key === 'Backspace') text = text.slice(0, -1);
    else if (event.key.length === 1) text += event.key;
  };
  window.addEventListener('keydown', keep, { capture: true, signal });
}

/** What was typed so far. */
export const typedAhead = (): string => text;

/** The field has the focus. */
export function endTypingAhead(): void {
  current.abort();
  text = '';
}
