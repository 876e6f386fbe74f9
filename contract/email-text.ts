/**
 * E-mail addresses with one text for one mailbox: a domain that is written in letters of any language becomes the ASCII
 * name that mail servers use, so `kim@예시.한국` is `kim@xn--vv4b11d.xn--3e0b707e`.
 */

/** The rule of the schema library for the name, with domains that end in such an ASCII name (`.xn--3e0b707e`). */
export const ADDRESS =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/i;
/** A domain with letters outside ASCII. Other signs would mean something else in the URL that reads it. */
const WRITTEN_DOMAIN = /^(?=.*[^ -~])[\p{L}\p{M}\p{N}.。．｡-]+$/u;

/** The address with its domain in ASCII. A domain that can't be read stays, and no address has it. */
export function withAsciiDomain(address: string): string {
  const start = address.lastIndexOf('@') + 1;
  const domain = address.slice(start);
  if (start === 0 || !WRITTEN_DOMAIN.test(domain)) return address;
  const url = `http://${domain}`;
  return URL.canParse(url) ? address.slice(0, start) + new URL(url).hostname : address;
}

/** The text under which an account's address is stored and found. */
export const storedEmail = (text: string): string => withAsciiDomain(text.trim().toLowerCase());

/** Whether a text, trimmed, is an address of an account. Browsers ask it too, so this file has no schema. */
export const isEmail = (text: string): boolean => ADDRESS.test(storedEmail(text));
