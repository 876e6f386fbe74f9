import { dirname, join } from 'node:path';
import type { Rolldown } from 'vite';

/**
 * Groups the app's modules into files. Each file costs a request on a slow connection, so modules that are needed
 * together share a file. No page loads another area's screens. The groups:
 *
 * - `app`: loaded before a screen is chosen (the libraries, the session, the routes);
 * - `rules`: the schema library with the contract's schemas, which few screens load;
 * - `parts`: modules that Home shares with operators' screens, and all icons;
 * - `home`: the rest of Home and of the frame around every member's screen;
 * - `cards`: the cards that Home renders after its first paint;
 * - `operators`: the frame around operators' screens, and what at least two of these screens need;
 * - `shared`, `dialogs`, `fields`, `menus`: what these screens share with members' other than Home. Each group but the
 *   first is brought by large components, so that a member's screen without them does not load it;
 * - `words-en`, `words-ko`, `card-words-en`, `card-words-ko`: the words of Home, its frame and its cards.
 *
 * The bundler groups the remaining modules: the screens, and modules that few screens share. Each group is closed: what
 * a module of it imports is in this group or in one that imports nothing of it. Otherwise one file would run before the
 * files it needs. So imports are followed into the library, to the file of each name.
 */
const homeRoots = /^web\/(shell\/member-area|home\/dashboard-page)\.tsx$/;
const cardRoots = /^web\/.*\/(daily-bonus|coin-flip|invite)-card\.tsx$/;
const operatorFrame = 'web/shell/operator-area.tsx';
const operatorScreens = /^web\/(admin\/.*|shell\/operator-.*)-page\.tsx$/;
const operatorRoots = /^web\/(admin\/|shell\/operator-|access\/(admin-|no-access))/;

/** The words of Home and its frame, one file per language. */
const wordsOfHome = /\/web\/(?:client|shell|home|ledger|announcements)\/words\.(en|ko)\.json$/;

const wordsOfCards = /\/web\/(?:bonus|coinflip|referrals)\/words\.(en|ko)\.json$/;

const rules = /node_modules\/zod\/|\?rules$|\/contract\/operator-list\.ts$/;
/** Icons import no other library, so they cannot create an import cycle with the file that holds them. */
const icons = '/@tabler/icons-react/';

/** The components that bring the large parts of the library. A later group may import an earlier one. */
const components = {
  dialogs: /\/@floating-ui\/|\/components\/Modal\/Modal\.mjs$|\/web\/ui\/(dialog|focus-return)\.tsx$/,
  fields: /\/components\/(TextInput|Textarea|Checkbox|SegmentedControl)\/\1\.mjs$/,
  menus: /\/components\/(Menu|Drawer)\/\1\.mjs$|\/web\/ui\/side-menu\.tsx$/,
};

type InfoOf = Rolldown.ChunkingContext['getModuleInfo'];
type Plan = ReadonlyMap<string, ReadonlySet<string>>;

/** A file that passes on the parts of a library. Who imports a name from it needs the file of that part alone. */
const barrel = /\/node_modules\/(@mantine\/(?:core|hooks))\/esm\/index\.mjs$/;
const namedImports = /\bimport\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;

/** The names that a module imports from each source. */
function* namesIn(code: string): Generator<[name: string, source: string]> {
  for (const [, names = '', source = ''] of code.matchAll(namedImports))
    for (const name of names.split(',')) yield [name.trim().split(/\s+as\s+/)[0] ?? '', source];
}

/** The modules that a module imports statically, through a barrel those of the names alone. */
function importsOf(id: string, infoOf: InfoOf): string[] {
  const info = infoOf(id);
  return (info?.importedIds ?? []).flatMap((next) => {
    const [, library] = barrel.exec(next) ?? [];
    if (library === undefined) return [next];
    const files = new Map(namesIn(infoOf(next)?.code ?? ''));
    return [...namesIn(info?.code ?? '')].flatMap(([name, source]) => {
      if (source !== library) return [];
      const file = files.get(name);
      if (file === undefined) throw new Error(`${library} has no file for ${name}, which ${id} imports`);
      return [join(dirname(next), file)];
    });
  });
}

/** The given modules and their static imports. */
function withImports(ids: Iterable<string>, infoOf: InfoOf): Set<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const next of importsOf(id, infoOf)) add(next);
  };
  for (const id of ids) add(id);
  return found;
}

/** Every dynamic import that is reachable from `main.tsx`. */
function loadedOnDemand(rootDir: string, infoOf: InfoOf): Set<string> {
  const roots = new Set([`${rootDir}web/main.tsx`]);
  for (const root of roots)
    for (const id of withImports([root], infoOf))
      for (const next of infoOf(id)?.dynamicallyImportedIds ?? []) roots.add(next);
  return roots;
}

/** The groups by name. A module belongs to the first that has it. */
function planOf(rootDir: string, infoOf: InfoOf): Plan {
  const roots = [...loadedOnDemand(rootDir, infoOf)];
  const reachedFrom = (isRoot: (path: string) => boolean) =>
    withImports(
      roots.filter((id) => isRoot(id.slice(rootDir.length))),
      infoOf,
    );
  const isOperators = (path: string) => operatorRoots.test(path);
  const home = reachedFrom((path) => homeRoots.test(path));
  const cards = reachedFrom((path) => cardRoots.test(path));
  const operators = reachedFrom(isOperators);
  const members = reachedFrom((path) => !isOperators(path));
  const others = reachedFrom((path) => !homeRoots.test(path) && !cardRoots.test(path));
  const desk = neededAtTheDesk(roots, rootDir, infoOf);
  const ofMembers = roots.filter((id) => !isOperators(id.slice(rootDir.length)));
  const isOfCards = (id: string) => !id.includes('/node_modules/') || !others.has(id);
  return new Map([
    ['parts', home.intersection(operators)],
    ['home', home.difference(operators)],
    ['cards', new Set([...cards.difference(home).difference(operators)].filter(isOfCards))],
    ...layersOf(desk.intersection(members).difference(home), ofMembers, infoOf),
    ['operators', desk.difference(members)],
  ]);
}

/** The modules of the frame around the operators' screens, and those that at least two of these screens need. */
function neededAtTheDesk(roots: readonly string[], rootDir: string, infoOf: InfoOf): Set<string> {
  const found = withImports([`${rootDir}${operatorFrame}`], infoOf);
  const once = new Set<string>();
  for (const root of roots.filter((id) => operatorScreens.test(id.slice(rootDir.length))))
    for (const id of withImports([root], infoOf)) (once.has(id) ? found : once).add(id);
  return found;
}

/**
 * Divides what operators' screens share with members' by the large components. What a member's screen needs without
 * the component that brings it, and what needs no such component, is `shared`.
 */
function layersOf(modules: Set<string>, memberRoots: readonly string[], infoOf: InfoOf): Plan {
  const screens = memberRoots.map((root) => withImports([root], infoOf));
  const layers = Object.entries(components).map(([name, pattern]) => {
    const brought = [...modules].filter((id) => pattern.test(id));
    const without = screens.filter((screen) => screen.isDisjointFrom(new Set(brought)));
    const all = withImports(brought, infoOf).intersection(modules);
    return { name, all, large: new Set([...all].filter((id) => !without.some((screen) => screen.has(id)))) };
  });
  const isSmall = (id: string) => {
    // The library has all of its styles in one file, and those of our own parts are small.
    if (id.endsWith('.css')) return true;
    const needed = withImports([id], infoOf);
    return layers.every(({ large }) => needed.isDisjointFrom(large));
  };
  const shared = new Set([...modules].filter(isSmall));
  return new Map([
    ['shared', shared],
    ...layers.map(({ name, all }) => [name, all.difference(shared)] as const),
  ]);
}

/**
 * The chunk groups for Rolldown. A module goes to the first group that matches. @param rootDir the repository, with a
 * trailing slash
 */
export function chunkGroups(rootDir: string): Rolldown.CodeSplittingGroup[] {
  let plan: Plan | undefined;
  const nameOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
    plan ??= planOf(rootDir, (one) => context.getModuleInfo(one));
    const words = wordsOfHome.exec(id);
    if (words !== null) return `words-${words[1]}`;
    const cardWords = wordsOfCards.exec(id);
    if (cardWords !== null) return `card-words-${cardWords[1]}`;
    if (id.includes(icons)) return 'parts';
    for (const [name, modules] of plan) if (modules.has(id)) return name;
    return null;
  };
  return [
    { name: 'rules', test: rules, includeDependenciesRecursively: false, priority: 4 },
    { name: 'app', test: /\/web\/(main\.tsx|index\.html)$|rolldown\/runtime/, priority: 3 },
    { name: nameOf, debugName: 'by area', includeDependenciesRecursively: false, priority: 2 },
  ];
}
