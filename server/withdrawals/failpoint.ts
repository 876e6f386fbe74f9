/**
 * Named places in a payout at which a test lets the process die as if the power had failed. Nothing is armed unless a
 * sandbox or a test says so; in live mode a failpoint does nothing.
 */
export const failpoints = [
  'after_hold',
  'after_approve',
  'after_sign',
  'after_store',
  'after_broadcast',
  'after_mark_broadcast',
  'after_confirm',
] as const;
export type Failpoint = (typeof failpoints)[number];

let armed: Failpoint | undefined;

/** Arms one failpoint by `NAME:kill`. Throws on anything else, so that no test passes because of a typing error. */
export function armFailpoint(text: string): void {
  const name = failpoints.find((one) => text === `${one}:kill`);
  if (name === undefined)
    throw new Error(`FAILPOINT: ${text} is not one of ${failpoints.join(', ')} with :kill`);
  armed = name;
}

/** Ends the process at once, without any clean-up, if this is the armed place. */
export function failpoint(name: Failpoint): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL');
}
