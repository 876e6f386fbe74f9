/** A duration in words, in at most two units: `6 min 12 sec`, `6분 12초`. */
export function durationIn(language: string, seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    ['hour', Math.floor(whole / 3_600)],
    ['minute', Math.floor(whole / 60) % 60],
    ['second', whole % 60],
  ] as const;
  const first = parts.findIndex(([, value]) => value > 0);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2).filter(([, value]) => value > 0);
  return shown
    .map(([unit, value]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
    )
    .join(' ');
}
