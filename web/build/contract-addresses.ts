import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Keeps the contract's schemas out of the browser, because a screen needs an endpoint's address only; the server
 * validates calls. The build imports each file of the contract and gives the browser its plain values: of an endpoint
 * the address and the other fields without schemas, of a constant its value. Schemas and functions stay in the file
 * itself, which screens that use them load as `FILE?rules`. A file without schemas or endpoints is unchanged.
 */

/** The fields of an endpoint that only the server uses. */
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

/** The plain value for the browser; undefined if the browser gets the export itself. */
function plainOf(value: unknown): unknown {
  if (!isEndpoint(value)) return isPlain(value) ? value : undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([part, content]) => !serverParts.has(part) && isPlain(content)),
  );
}

/** The code that the browser gets for a file of the contract. */
function addressesOf(id: string, exported: Record<string, unknown>): string {
  return Object.entries(exported)
    .map(([name, value]) => {
      const plain = plainOf(value);
      if (plain === undefined) return `export { ${name} } from ${JSON.stringify(`${id}?rules`)};`;
      return `export const ${name} = ${JSON.stringify(plain)};`;
    })
    .join('\n');
}

/** The plugin. @param contractDir the contract's folder, with a trailing slash */
export function contractAddresses(contractDir: string): Plugin {
  const isContract = (id: string) => id.startsWith(contractDir) && id.endsWith('.ts');
  return {
    name: 'contract-addresses',
    enforce: 'pre',
    // Calls that make schemas have no side effects, so an unused file is left out.
    resolveId: (id) =>
      id.startsWith(contractDir) && id.endsWith('?rules') ? { id, moduleSideEffects: false } : null,
    async load(id) {
      if (!isContract(id)) return null;
      // Imported again at each build, so that a watching build sees a change.
      const exported = await import(`${pathToFileURL(id).href}?at=${Date.now()}`);
      if (!Object.values(exported).some((value) => isEndpoint(value) || isSchema(value))) return null;
      return { code: addressesOf(id, exported), map: null, moduleSideEffects: false };
    },
    // A file of rules has no side effects. If it is unused, it is left out together with the schema library.
    transform: (code, id) =>
      id.startsWith(contractDir) && id.endsWith('?rules')
        ? { code, map: null, moduleSideEffects: false }
        : null,
  };
}
