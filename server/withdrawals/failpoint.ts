/**
 * Named places in a payout at which a test kills the process, like a power failure, or stops it until the test lets it
 * go on. A failpoint does nothing unless a sandbox or a test arms it. Live mode never arms one.
 */
export const failpoints = [
  'after_hold',
  'after_approve',
  'after_bulk_row',
  'after_sign',
  'after_store',
  'after_mark',
  'after_broadcast',
  'after_mark_broadcast',
  'after_confirm',
] as const;
/** Those that the payout of one withdrawal passes, so without the rows of an act on many. */
export const payoutFailpoints = failpoints.filter((name) => name !== 'after_bulk_row');
export type Failpoint = (typeof failpoints)[number];

const signals = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const;

let armed: { name: Failpoint; signal: NodeJS.Signals } | undefined;

/** Arms one failpoint by `NAME:kill` or `NAME:stop`. Throws on other texts, so that a typing error fails the test. */
export function armFailpoint(text: string): void {
  const [, name, act] = /^(\w+):(kill|stop)$/.exec(text) ?? [];
  const known = failpoints.find((one) => one === name);
  if (known === undefined)
    throw new Error(`FAILPOINT: ${text} is not one of ${failpoints.join(', ')} with :kill or :stop`);
  armed = { name: known, signal: signals[act as keyof typeof signals] };
}

export function disarmFailpoint(): void {
  armed = undefined;
}

/** Kills or stops the process without clean-up if this failpoint is armed. It happens once. */
export function failpoint(name: Failpoint): void {
  if (armed?.name !== name) return;
  const { signal } = armed;
  disarmFailpoint();
  process.kill(process.pid, signal);
}
