/**
 * Log lines that anybody can cause, in any number. Of each kind the first ones of a minute are written, and at its end
 * one more line with the number of the others.
 */
const LINES_MAX = 20;
const WINDOW_MS = 60_000;

type Write = (fields: Record<string, unknown>) => void;

/** Makes a function that writes a line of a kind. There must be few kinds, because each takes memory for a minute. */
export function sampleLines(write: Write): (kind: string, fields: () => Record<string, unknown>) => void {
  const windows = new Map<string, { written: number; suppressed: number }>();
  return (kind, fields) => {
    const open = windows.get(kind) ?? { written: 0, suppressed: 0 };
    if (open.written === 0) {
      windows.set(kind, open);
      setTimeout(() => {
        windows.delete(kind);
        if (open.suppressed > 0) write({ kind, suppressed: open.suppressed });
      }, WINDOW_MS).unref();
    }
    if (open.written >= LINES_MAX) {
      open.suppressed += 1;
      return;
    }
    open.written += 1;
    write(fields());
  };
}
