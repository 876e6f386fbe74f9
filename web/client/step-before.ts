/**
 * Goes back to the history entry from which a dialog was opened that the URL keeps as this parameter, so that Back
 * can't open the dialog again. Pages inside the frame of a wall add entries too, so going back by one would not be
 * enough. Returns false if that entry is another page or unknown.
 */
export function returnToStepBefore(parameter: string): boolean {
  if (!('navigation' in window)) return false;
  const { currentEntry } = navigation;
  const before = navigation.entries()[(currentEntry?.index ?? 0) - 1];
  const closed = new URL(location.href);
  closed.searchParams.delete(parameter);
  if (before?.url !== closed.href) return false;
  navigation.traverseTo(before.key);
  return true;
}
