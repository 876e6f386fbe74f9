import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { planted, root, type Source } from './source-tree.ts';
import { type Node, nodesOf } from './syntax.ts';

/**
 * Each route of members is made from one screen of `web/screens.ts`, from which the build also makes its
 * document. A route of another form would get no document of its own.
 */

const nameOf = (node: Node): string => String((node.property as Node | undefined)?.name ?? node.name);

/** The options that lay a route under `member`, by the names that routes spread. */
const sharedOptions = ['ofMember', 'inPages'];

/** Whether a route lies under `member`. */
const isOfMembers = (property: Node): boolean =>
  property.type === 'SpreadElement'
    ? sharedOptions.includes(nameOf(property.argument as Node))
    : nameOf(property.key as Node) === 'getParentRoute' &&
      ((property.value as Node).body as Node | undefined)?.name === 'member';

/** The screen that a property spreads into a route: `home` of `...screenOf(memberScreens.home, …)`. */
function screenOf(property: Node): string | undefined {
  const call = property.type === 'SpreadElement' ? (property.argument as Node) : undefined;
  if (call?.type !== 'CallExpression' || nameOf(call.callee as Node) !== 'screenOf') return undefined;
  const [screen] = call.arguments as Node[];
  return screen?.type === 'MemberExpression' && nameOf(screen.object as Node) === 'memberScreens'
    ? nameOf(screen)
    : undefined;
}

/** The screen of each route of members; undefined for a route of another form. */
const screensOf = (routes: Source): (string | undefined)[] =>
  nodesOf(routes)
    .filter(({ type, callee }) => type === 'CallExpression' && nameOf(callee as Node) === 'createRoute')
    .map((call) => ((call.arguments as Node[])[0]?.properties ?? []) as Node[])
    .filter((properties) => properties.some(isOfMembers))
    .map((properties) => {
      const isPlain = properties.every(({ key }) => !/^(path|component)$/.test(nameOf((key ?? {}) as Node)));
      return isPlain ? properties.map(screenOf).find((screen) => screen !== undefined) : undefined;
    });

describe('the routes of members', () => {
  const sourceOf = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });

  it('are made from each of the screens once', async () => {
    const address = join(root, 'web/screens.ts');
    const { memberScreens } = (await import(address)) as { memberScreens: object };
    const names = Object.keys(memberScreens);
    assert.ok(names.length > 10);
    assert.deepEqual(screensOf(sourceOf('web/routes.tsx')).toSorted(), names.toSorted());
  });
  it('are not made in another way', () => {
    const page = "component: lazyRouteComponent(() => import('./home/dashboard-page.tsx'), 'DashboardPage')";
    for (const options of [
      `path: '/', ${page}, getParentRoute: () => member`,
      `getParentRoute: () => member, ...{ path: '/', ${page} }`,
      `...screenOf(memberScreens.home, 'DashboardPage'), path: '/home', getParentRoute: () => member`,
      `...screenOf(home, 'DashboardPage'), getParentRoute: () => member`,
      `...screenOf(home, 'DashboardPage'), ...ofMember`,
    ]) {
      const [routes] = planted('web/routes.tsx', `createRoute({ ${options} });`);
      assert.deepEqual(screensOf(routes as Source), [undefined], options);
    }
  });
});

/** The letters that open the places of the operators' rail. */
const lettersIn = (text: string): string[] =>
  [...text.matchAll(/\bletter: '([^']*)'/g)].map((match) => match[1] as string);

describe('the places of operators', () => {
  const isOk = (letters: readonly string[]) =>
    letters.every((letter) => /^[A-Z]$/.test(letter)) && new Set(letters).size === letters.length;
  it('have each a letter of their own', () => {
    const letters = lettersIn(readFileSync(join(root, 'web/shell/operator-places.ts'), 'utf8'));
    assert.ok(letters.length > 2);
    assert.ok(isOk(letters), letters.join());
  });
  it('have no letter twice, and no other key', () => {
    assert.equal(isOk(lettersIn("a: { letter: 'W' }, b: { letter: 'W' }")), false);
    assert.equal(isOk(lettersIn("a: { letter: 'w' }")), false);
  });
});
