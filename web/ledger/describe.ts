import type { HistoryEntry } from '#contract/ledger.ts';

/**
 * Reads a row of the history for its parts. The server's descriptions are English and have the forms
 * `{provider}: {offer}` and `Chargeback: {provider}: {reason}`; the screens say the same by kind, in the reader's
 * language.
 */
export function splitDescription(entry: Pick<HistoryEntry, 'description' | 'provider'>): {
  provider: string;
  subject: string;
} {
  const text = entry.description.replace(/^Chargeback:\s*/, '');
  const cut = text.indexOf(': ');
  if (cut === -1) return { provider: text === '' ? (entry.provider ?? '') : text, subject: '' };
  return { provider: text.slice(0, cut), subject: text.slice(cut + 2) };
}
