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
 * - `words-en`, `words-ko`, `card-words-en`, `card-words-ko`: the words of Home, its frame and its cards.
 *
 * The bundler groups the remaining modules: the screens, and modules that several screens share. Groups that split a
 * library caused import cycles between files, in which one file ran before the files it needs.
 */
const homeRoots = /^web\/(shell\/member-area|home\/dashboard-page)\.tsx$/;
const cardRoots = /^web\/.*\/(daily-bonus|coin-flip|invite)-card\.tsx$/;
const operatorRoots = /^web\/(admin\/|shell\/operator-|access\/(admin-|no-access))/;

/** The words of Home and its frame, one file per language. */
const wordsOfHome = /\/web\/(?:client|shell|home|ledger)\/words\.(en|ko)\.json$/;

const wordsOfCards = /\/web\/(?:bonus|coinflip|referrals)\/words\.(en|ko)\.json$/;

const rules = /node_modules\/zod\/|\?rules$|\/contract\/operator-list\.ts$/;
/** Icons import no other library, so they cannot create an import cycle with the file that holds them. */
const icons = '/@tabler/icons-react/';

type InfoOf = Rolldown.ChunkingContext['getModuleInfo'];
type Plan = Record<'parts' | 'home' | 'cards', ReadonlySet<string>>;

/** The given modules and their static imports, without libraries. */
function withImports(ids: Iterable<string>, rootDir: string, infoOf: InfoOf): Set<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id) || !id.startsWith(rootDir) || id.includes('/node_modules/')) return;
    found.add(id);
    for (const next of infoOf(id)?.importedIds ?? []) add(next);
  };
  for (const id of ids) add(id);
  return found;
}

/** Every dynamic import that is reachable from `main.tsx`. */
function loadedOnDemand(rootDir: string, infoOf: InfoOf): Set<string> {
  const roots = new Set([`${rootDir}web/main.tsx`]);
  for (const root of roots)
    for (const id of withImports([root], rootDir, infoOf))
      for (const next of infoOf(id)?.dynamicallyImportedIds ?? []) roots.add(next);
  return roots;
}

function planOf(rootDir: string, infoOf: InfoOf): Plan {
  const roots = [...loadedOnDemand(rootDir, infoOf)];
  const reachedFrom = (pattern: RegExp) =>
    withImports(
      roots.filter((id) => pattern.test(id.slice(rootDir.length))),
      rootDir,
      infoOf,
    );
  const [home, cards, operators] = [homeRoots, cardRoots, operatorRoots].map(reachedFrom) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  return {
    parts: home.intersection(operators),
    home: home.difference(operators),
    cards: cards.difference(home).difference(operators),
  };
}

/**
 * The chunk groups for Rolldown. A module goes to the first group that matches. @param rootDir the repository, with a
 * trailing slash
 */
export function chunkGroups(rootDir: string): Rolldown.CodeSplittingGroup[] {
  let plan: Plan | undefined;
  const nameOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
    plan ??= planOf(rootDir, (one) => context.getModuleInfo(one));
    const { parts, home, cards } = plan;
    const words = wordsOfHome.exec(id);
    if (words !== null) return `words-${words[1]}`;
    const cardWords = wordsOfCards.exec(id);
    if (cardWords !== null) return `card-words-${cardWords[1]}`;
    if (parts.has(id) || id.includes(icons)) return 'parts';
    if (home.has(id)) return 'home';
    return cards.has(id) ? 'cards' : null;
  };
  return [
    { name: 'rules', test: rules, includeDependenciesRecursively: false, priority: 4 },
    { name: 'app', test: /\/web\/(main\.tsx|index\.html)$|rolldown\/runtime/, priority: 3 },
    { name: nameOf, debugName: 'parts, home and cards', includeDependenciesRecursively: false, priority: 2 },
  ];
}
