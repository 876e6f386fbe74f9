import type { Rolldown } from 'vite';

/**
 * How the app's modules are put together into files. On a slow connection each file costs, so what is needed together
 * is one file; and no page loads another area's screens:
 *
 * - `app`: what stands before a screen is chosen (the libraries, the session, the routes);
 * - `rules`: the library of shapes with the contract's rules, which few screens load;
 * - `parts`: what Home shares with operators' screens, and all icons;
 * - `home`: the rest of Home and of its frame, which every other screen of members stands in;
 * - `cards`: what Home draws after its first paint;
 * - `words-en`, `words-ko`, `card-words-en`, `card-words-ko`: what Home, its frame and its cards say.
 *
 * What is left is put together by the bundler: each screen, and what some screens share. Groups of parts of libraries
 * made files that import each other in a ring, where one runs before what it needs.
 */
const homeRoots = /^web\/(shell\/member-area|home\/dashboard-page)\.tsx$/;
const cardRoots = /^web\/.*\/(daily-bonus|coin-flip|invite)-card\.tsx$/;
const operatorRoots = /^web\/(admin\/|shell\/operator-|access\/(admin-|no-access))/;

/** What Home and its frame say, one file for each language. */
const wordsOfHome = /\/web\/(?:client|shell|home|ledger)\/words\.(en|ko)\.json$/;

const wordsOfCards = /\/web\/(?:bonus|coinflip|referrals)\/words\.(en|ko)\.json$/;

const rules = /node_modules\/zod\/|\?rules$|\/contract\/operator-list\.ts$/;
/** Icons import no other library, so no library can lead back to the file that holds them. */
const icons = '/@tabler/icons-react/';

type InfoOf = Rolldown.ChunkingContext['getModuleInfo'];
type Plan = Record<'parts' | 'home' | 'cards', ReadonlySet<string>>;

/** Our own modules among these, and what they import at once as far as that is our own. */
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

/** All that is loaded on demand, from `main.tsx` on. */
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

/** The groups, for Rolldown. The first that takes a module has it. @param rootDir the repository, with a slash */
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
