import type { Page } from 'playwright-core';

/**
 * Opens screens one after the other in a page, and measures what moves meanwhile: by the browser's layout shift, and by
 * the places of a document's skeleton and of the app that replaces it, which the browser does not compare.
 */

/** Runs in the page before its own scripts. It is text, so that it reads as the script of a page. */
const watch = `
  const watched = (window.watched = { shifts: [], since: 0, skeleton: null, app: null });
  new PerformanceObserver((list) => {
    for (const { startTime, value, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.className || node?.nodeName).join(', ');
      watched.shifts.push({ at: startTime, value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const isPanel = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const { backgroundColor, borderTopWidth } = getComputedStyle(element);
    return width > 160 && height > 60 && (backgroundColor !== 'rgba(0, 0, 0, 0)' || borderTopWidth !== '0px');
  };
  const placesIn = (root) => {
    const main = root.querySelector('main');
    const head = root.querySelector('header')?.getBoundingClientRect();
    const screen = main.getBoundingClientRect();
    // Lists and forms share a skeleton, so only Home's has the places of its cards.
    const panel = location.pathname === '/' ? [...main.querySelectorAll('*')].find(isPanel) : undefined;
    const card = panel?.getBoundingClientRect();
    // A skeleton's first bar stands for its heading.
    const heading = main.querySelector(root === document ? 'h1' : 'span')?.getBoundingClientRect();
    return {
      'height of the header': head?.height,
      'left of the screen': screen.left,
      'top of the screen': screen.top,
      'width of the screen': screen.width,
      'middle of its heading': heading && heading.top + heading.height / 2,
      'left of its first panel': card?.left,
      'top of its first panel': card?.top,
    };
  };
  const look = () => {
    const waiting = document.querySelector('#root [data-waiting]');
    if (waiting !== null) watched.skeleton = placesIn(waiting);
    else if (watched.skeleton !== null && watched.app === null && document.querySelector('#main h1'))
      watched.app = placesIn(document);
    // A page that never rests costs more than what it shows.
    if (watched.skeleton !== null && watched.app === null) requestAnimationFrame(look);
  };
  addEventListener('DOMContentLoaded', look);
`;

/** A place that a skeleton does not have is undefined. */
type Places = Record<string, number | undefined>;
type Watched = {
  shifts: { at: number; value: number; moved: string }[];
  since: number;
  skeleton: Places | null;
  app: Places | null;
};
declare const watched: Watched;

/** A fetch that begins when another one has ended begins within this time. */
const QUIET_MS = 150;

export type ScreenVisitor = {
  /** Loads the document of a screen, and returns its status. */
  load: (address: string) => Promise<number>;
  /** Goes to a screen inside the app, as a link does. */
  go: (path: string) => Promise<void>;
  /** The layout shift since the load, or since the frame that showed the screen's heading; with what moved. */
  shift: () => Promise<{ score: number; moved: string }>;
  /** The places that differ between the skeleton of the document and the first frame of the app; null without one. */
  jumps: () => Promise<string[] | null>;
};

/** Places may differ by a line: whether an introduction wraps depends on its words, which a skeleton does not have. */
const JUMP_MAX = 26;

export async function screenVisitor(page: Page): Promise<ScreenVisitor> {
  await page.addInitScript(watch);
  const untilComplete = untilQuiet(page);
  return {
    load: async (address) => {
      const answer = await page.goto(address);
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await untilComplete();
      return answer?.status() ?? 0;
    },
    go: async (path) => {
      await page.evaluate(showScreen, path);
      await untilComplete();
    },
    shift: () =>
      page.evaluate(() => {
        const shifts = watched.shifts.filter(({ at }) => at >= watched.since);
        const score = shifts.reduce((sum, { value }) => sum + value, 0);
        return { score, moved: shifts.map(({ moved }) => moved).join('; ') };
      }),
    jumps: async () => {
      const { skeleton, app } = await page.evaluate(() => ({ skeleton: watched.skeleton, app: watched.app }));
      if (skeleton === null || app === null) return null;
      return Object.keys(skeleton)
        .filter((place) => skeleton[place] !== undefined)
        .filter((place) => !(Math.abs(Number(skeleton[place]) - Number(app[place])) <= JUMP_MAX))
        .map((place) => `${place}: ${skeleton[place]} px in the skeleton, ${app[place]} px in the app`);
    },
  };
}

/**
 * Runs in the page. What the last screen leaves behind, such as the footer, moves in the frame that shows the next one,
 * so the measure begins after it.
 */
async function showScreen(path: string): Promise<void> {
  const last = document.querySelector('h1');
  const isSameScreen = new URL(path, location.href).pathname === location.pathname;
  const endMs = performance.now() + 20_000;
  history.pushState(null, '', path);
  for (let isShown = false; !isShown; ) {
    await new Promise(requestAnimationFrame);
    const heading = document.querySelector('h1');
    isShown = heading !== null && (heading !== last || isSameScreen);
    if (performance.now() > endMs) throw new Error(`${path} has no heading of its own`);
  }
  await new Promise(requestAnimationFrame);
  watched.since = performance.now();
}

/** Waits until the requests of the page have ended and it has no skeleton. A load waits for its fonts too. */
function untilQuiet(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  let changedAt = 0;
  const change = (edit: () => void) => {
    edit();
    changedAt = performance.now();
  };
  page.on('request', (request) => change(() => open.add(request)));
  page.on('requestfinished', (request) => change(() => open.delete(request)));
  page.on('requestfailed', (request) => change(() => open.delete(request)));
  return async () => {
    changedAt = performance.now();
    while (open.size > 0 || performance.now() - changedAt < QUIET_MS) await page.waitForTimeout(20);
    await page.waitForFunction(
      () => document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null,
    );
    await page.evaluate(() => document.fonts.ready);
  };
}
