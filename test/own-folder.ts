import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, isTest, readTree, root, type Source } from './source-tree.ts';

/**
 * The rules of what is one folder each, a provider or a rail: its name stands only there, in the registry, in
 * documents, in tests, and where a list allows it. The simulation of its outside party is loaded by the sandbox alone,
 * its vectors by tests alone.
 */
export type OwnFolders = {
  /** The folder of the folders, with their registry. */
  dir: string;
  /** The file with the simulation of the outside party, for the sandbox. */
  simulation: string;
  /** The files that each folder must have. */
  files: readonly string[];
  /** Folders that are shared code. */
  shared: readonly string[];
  /** Names that the specification fixes; they may stand anywhere. */
  fixedNames: RegExp;
  /** Files that may name some of them, each with their ids. */
  allowed: readonly [path: RegExp, ids: readonly string[], why: string][];
  /** Files of the feature that the code below the folder may import, each with the reason. */
  beside: Record<string, string>;
  /** Files of the shared code that are read by tests alone, and so may load vectors. */
  testFiles: readonly string[];
};

/** A provider or a rail. */
export type Named = { id: string; name: string };

/** A text in lower case, followed by the same text with the words of each name apart. */
export const wordsOf = (text: string): string =>
  `${text} ${text.replace(/([a-z0-9])([A-Z])/g, '$1 $2')}`.toLowerCase();

/** Whether a text contains a name that is no part of a longer word. */
export const containsName = (name: string, words: string): boolean =>
  new RegExp(`(?<![a-z0-9])${RegExp.escape(name.toLowerCase())}(?![a-z0-9])`).test(words);

/** Whether a text contains the id or the name. */
const isNamed = ({ id, name }: Named, words: string): boolean =>
  containsName(id, words) || containsName(name, words);

/** Names outside their folder. */
export function nameFaults(
  { dir, fixedNames, allowed }: OwnFolders,
  sources: readonly Source[],
  known: readonly Named[],
): string[] {
  return sources
    .filter(({ path }) => !isTest(path) && path !== `${dir}/registry.ts`)
    .flatMap(({ path, text }) => {
      const words = wordsOf(`${path}\n${text}`.replaceAll(fixedNames, ''));
      return known
        .filter(({ id }) => !path.startsWith(`${dir}/${id}/`))
        .filter(({ id }) => !allowed.some(([where, ids]) => where.test(path) && ids.includes(id)))
        .filter((one) => isNamed(one, words))
        .map(({ name }) => `${path} names ${name}`);
    });
}

/** Allowed names that no file has. */
export const unusedAllowances = (
  { allowed }: OwnFolders,
  sources: readonly Source[],
  known: readonly Named[],
): string[] =>
  allowed.flatMap(([where, ids, why]) =>
    ids
      .map((id) => known.find((one) => one.id === id) ?? { id, name: id })
      .filter(
        (one) =>
          !sources.some(({ path, text }) => where.test(path) && isNamed(one, wordsOf(`${path}\n${text}`))),
      )
      .map(({ id }) => `${why}: ${id}`),
  );

/** Imports of a simulation outside the sandbox, and of vectors outside tests, also in templates. */
export function loadFaults(rules: OwnFolders, sources: readonly Source[]): string[] {
  const { dir, simulation, shared, testFiles } = rules;
  const isOf = (name: string, file: string) => name.startsWith(`${dir}/`) && name.endsWith(`/${file}`);
  const isShared = (name: string) => shared.some((folder) => name.startsWith(`${dir}/${folder}/`));
  return sources
    .filter(({ path }) => /^(server|web|contract)\/.+\.tsx?$/.test(path) && !isTest(path))
    .filter(({ path }) => !testFiles.includes(path) && !isOf(path, 'vectors.ts'))
    .flatMap((source) => {
      const { path } = source;
      return importsOf(source).flatMap((name) => {
        const isSimulation = isOf(name, simulation) && name !== `${dir}/${simulation}` && !isShared(name);
        if (isSimulation && !path.startsWith('server/sandbox/'))
          return [`${path} loads ${name}: the sandbox alone does`];
        return isOf(name, 'vectors.ts') ? [`${path} loads ${name}: tests alone do`] : [];
      });
    });
}

/** Whether a file below the folder may import a file of the server or the web. */
function mayImport({ dir, shared, beside }: OwnFolders, path: string, name: string): boolean {
  if (name.startsWith('server/platform/') || name in beside) return true;
  if (!name.startsWith(`${dir}/`)) return false;
  const [first = ''] = path.slice(dir.length + 1).split('/');
  const [other = '', ...inFolder] = name.slice(dir.length + 1).split('/');
  const isShared = inFolder.length === 0 || shared.includes(other);
  // The lists of all folders load each one.
  return isShared || other === first || /^(registry|vectors)\.ts$/.test(first);
}

/** Imports of other files of the server than a folder's own, the shared ones, and the platform's. */
export const reachFaults = (rules: OwnFolders, sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith(`${rules.dir}/`) && path.endsWith('.ts') && !isTest(path))
    .flatMap((source) =>
      importsOf(source)
        .filter((name) => /^(server|web)\//.test(name) && !mayImport(rules, source.path, name))
        .map((name) => `${source.path} imports ${name}: not its own, shared, or the platform's`),
    );

/** Listed files that no code below the folder imports. */
export const unusedBeside = (rules: OwnFolders, sources: readonly Source[]): string[] => {
  const faults = reachFaults({ ...rules, beside: {} }, sources);
  return Object.keys(rules.beside).filter((name) => !faults.some((fault) => fault.includes(` ${name}:`)));
};

/** Checks that every folder is complete and registered by one line. */
export function folderFaults(
  { files, shared }: OwnFolders,
  names: readonly string[],
  registry: string,
): string[] {
  const folders = names.filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? '');
  return [...new Set(folders)]
    .filter((id) => !shared.includes(id))
    .flatMap((id) => [
      ...files.filter((file) => !names.includes(`${id}/${file}`)).map((file) => `${id} has no ${file}`),
      ...(registry.split('\n').filter((line) => line.includes(`./${id}/`)).length === 1
        ? []
        : [`${id} has not one line of the registry`]),
    ]);
}

/** The names of the files below the folder, and the registry's text. */
export const readFolders = ({ dir }: OwnFolders) => ({
  names: readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }),
  registry: readFileSync(join(root, dir, 'registry.ts'), 'utf8'),
});

/** All code, and the words of the web. */
export const readSources = (): Source[] => [
  ...['contract', 'server', 'web'].flatMap((name) => readTree(join(root, name))),
  ...readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(en|ko)\.json$/.test(name) && !name.startsWith('dist'))
    .map((name) => ({ path: `web/${name}`, text: readFileSync(join(root, 'web', name), 'utf8') })),
];
