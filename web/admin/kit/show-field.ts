/**
 * Focuses a field that is wrong, and brings it in sight together with the error that is rendered below it: the foot of
 * a dialog or a sheet stays in sight and would cover the error.
 */
export function showField(field: Element | null): void {
  if (!(field instanceof HTMLElement)) return;
  field.focus({ preventScroll: true });
  const whole = field.closest('.mantine-InputWrapper-root, .mantine-Checkbox-root') ?? field;
  // The error is rendered before the next frame.
  requestAnimationFrame(() => whole.scrollIntoView({ block: 'center' }));
}
