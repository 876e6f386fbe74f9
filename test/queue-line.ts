import type { Page, WebSocketRoute } from 'playwright-core';

/**
 * The live connection of a page that is loaded after this, so that a test says on it that the queue has changed: the
 * page reads again what it shows, and the rest when that is shown next. Without that, a screen keeps what it has read.
 */
export async function queueLine(page: Page) {
  const state: { line?: WebSocketRoute; isCut: boolean } = { isCut: false };
  await page.routeWebSocket('**/ws', (line) => {
    if (state.isCut) return void line.close();
    line.connectToServer();
    state.line = line;
  });
  return {
    tell: () => state.line?.send(JSON.stringify({ type: 'waiting', topics: ['queue'] })),
    /** The pages that are loaded from now on have no live connection. */
    cut: () => {
      state.isCut = true;
    },
  };
}
