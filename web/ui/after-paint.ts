/** Resolves after the next paint, so that what is loaded for later does not stand in its way. */
export const afterPaint = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
