/**
 * Named places in a payout at which a test kills the process, like a power failure. A failpoint does nothing unless a
 * sandbox or a test arms it. Live mode never arms one.
 */
export const failpoints = [
  'after_hold',
  'after_approve',
  'after_sign',
  'after_store',
  'after_mark',
  'after_broadcast',
  'after_mark_broadcast',
  'after_confirm',
] as const;
export type Failpoint = (typeof failpoints)[number];

let armed: Failpoint | undefined;

/** Arms one failpoint by `NAME:kill`. Throws on any other text, so that a typing error fails the test. */
export function armFailpoint(text: string): void {
  const name = failpoints.find((one) => text === `${one}:kill`);
  if (name === undefined)
    throw new Error(`FAILPOINT: ${text} is not one of ${failpoints.join(', ')} with :kill`);
  armed = name;
}

/** Kills the process without clean-up if this failpoint is armed. */
export function failpoint(name: Failpoint): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL');
}
