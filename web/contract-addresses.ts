import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Keeps the contract's schemas out of the browser: a screen needs an endpoint's address, and the server checks what a
 * call carries. Each file of the contract is imported when the web is built. The browser gets its plain values: for an
 * endpoint the address and what else is no schema, for a constant its value. All else, schemas and functions, is in the
 * file itself, which is loaded as `FILE?rules` by the screens that use it. A file without schemas stays as it is.
 */

/** What of an endpoint only the server reads. */
const serverParts = new Set(['params', 'query', 'body', 'reply', 'refusals', 'summary', 'access', 'status']);

const isPlain = (value: unknown): boolean => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object') return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value as object).every(isPlain);
};

const isEndpoint = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value;

/** What the browser gets of a value, or undefined where it gets the value itself. */
function plainOf(value: unknown): unknown {
  if (!isEndpoint(value)) return isPlain(value) ? value : undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([part, content]) => !serverParts.has(part) && isPlain(content)),
  );
}

/** The code of a file of the contract as the browser gets it. */
function addressesOf(id: string, exported: Record<string, unknown>): string {
  return Object.entries(exported)
    .map(([name, value]) => {
      const plain = plainOf(value);
      if (plain === undefined) return `export { ${name} } from ${JSON.stringify(`${id}?rules`)};`;
      return `export const ${name} = ${JSON.stringify(plain)};`;
    })
    .join('\n');
}

/** The plugin. @param contractDir the folder of the contract, with a slash at its end */
export function contractAddresses(contractDir: string): Plugin {
  const isContract = (id: string) => id.startsWith(contractDir) && id.endsWith('.ts');
  return {
    name: 'contract-addresses',
    enforce: 'pre',
    // Schemas are made by calls, which have no effect but their result: a file of which nothing is used is left out.
    resolveId: (id) =>
      id.startsWith(contractDir) && id.endsWith('?rules') ? { id, moduleSideEffects: false } : null,
    async load(id) {
      if (!isContract(id)) return null;
      // Imported anew at each build, so that a watching build follows a change.
      const exported = await import(`${pathToFileURL(id).href}?at=${Date.now()}`);
      if (!Object.values(exported).some((value) => isEndpoint(value) || isSchema(value))) return null;
      return { code: addressesOf(id, exported), map: null, moduleSideEffects: false };
    },
    // A file of rules only makes values: where none is used, it is left out, and the library of schemas with it.
    transform: (code, id) =>
      id.startsWith(contractDir) && id.endsWith('?rules')
        ? { code, map: null, moduleSideEffects: false }
        : null,
  };
}
