/** Resolves after the next paint, so that loading what is needed later does not delay it. */
export const afterPaint = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
