import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Node, nodesOf, type Source, textOf } from './syntax.ts';

/** The project's files, for the tests of its architecture. */

export const root = resolve(import.meta.dirname, '..');

export type { Source };

const codeEndings = /\.(ts|tsx|sql|css)$/;
/** The web is built in `web/dist-…` and then renamed. */
const skipped = /^(node_modules|dist(-.*)?|data|\.cache|\.git|test-results)$/;

/** Every code and style file below a folder. */
export function readTree(folder: string): Source[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (skipped.test(name)) return [];
    if (statSync(path).isDirectory()) return readTree(path);
    return codeEndings.test(name) ? [{ path: relative(root, path), text: readFileSync(path, 'utf8') }] : [];
  });
}

/**
 * The modules that a source imports, as values or types: files as paths from the root, packages by name. A part of an
 * address that is made when the program runs is `$1`.
 */
export const importsOf = (source: Source): string[] => addressesOf(source, () => true);

/** The modules whose values a source imports: those of types alone are left out. */
export const valueImportsOf = (source: Source): string[] => addressesOf(source, (node) => !isOfTypes(node));

/** The modules that are loaded together with a source: neither those of types alone nor those of `import()`. */
export const staticImportsOf = (source: Source): string[] =>
  addressesOf(source, (node) => node.type.endsWith('Declaration') && !isOfTypes(node));

function addressesOf({ path, text }: Source, isWanted: (node: Node) => boolean): string[] {
  if (!/\.tsx?$/.test(path)) return [];
  return nodesOf({ path, text })
    .filter(isWanted)
    .flatMap((node) => {
      const address = addressOf(node);
      return address === undefined ? [] : [placeOf(path, textOf(address, text) ?? '$1')];
    });
}

/** The address that a node loads: of an import, an export, `import()`, or `new URL(…, import.meta.url)` of a module. */
function addressOf(node: Node): Node | undefined {
  if (/^(Import|ExportNamed|ExportAll)Declaration$|^(Import|TSImport)(Expression|Type)$/.test(node.type))
    return (node.source ?? undefined) as Node | undefined;
  if (node.type !== 'NewExpression' || (node.callee as Node).name !== 'URL') return undefined;
  const [address, base] = node.arguments as Node[];
  const isModule = address !== undefined && /\.tsx?$/.test(textOf(address, '') ?? '');
  return isModule && base?.type === 'MemberExpression' ? address : undefined;
}

function isOfTypes(node: Node): boolean {
  if (node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = (node.specifiers ?? []) as Node[];
  return (
    names.length > 0 && names.every(({ importKind, exportKind }) => (importKind ?? exportKind) === 'type')
  );
}

/** Where an address leads from a file: a path from the root, or a package. */
function placeOf(path: string, address: string): string {
  if (address.startsWith('.')) return relative(root, resolve(root, dirname(path), address));
  if (address.startsWith('#contract/')) return address.replace('#contract/', 'contract/');
  if (address.startsWith('#platform/')) return address.replace('#platform/', 'server/platform/');
  if (address.startsWith('#web/')) return address.replace('#web/', 'web/');
  return address;
}

/** Files beside the product that tests and nothing else import. */
export const testFiles = ['server/ledger/ledger-cases.ts'];

/** Whether a file is a test, a benchmark, or used by tests alone. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path) || testFiles.includes(path);

/** A source that doesn't exist, for testing a guard. */
export const planted = (path: string, text: string): Source[] => [{ path, text }];
