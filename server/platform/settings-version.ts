import { hash } from 'node:crypto';
import { refuse } from './refusal.ts';

/**
 * Names a state of stored settings, so that an operator's change does not overwrite another's that they have not seen.
 */
export function versionOf(stored: object): string {
  const text = JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return hash('sha256', text, 'hex').slice(0, 16);
}

/**
 * Refuses a change by an operator who saw another version. Without a version nothing is compared.
 * @throws Refusal `settings-changed`
 */
export function refuseChanged(seen: string | undefined, stored: object): void {
  if (seen !== undefined && seen !== versionOf(stored)) throw refuse('settings-changed');
}
