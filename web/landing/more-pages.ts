/**
 * The names of the optional pages for which an operator added Markdown. Set at build time; every footer links to
 * them.
 */
export const morePages: readonly ('blog' | 'careers')[] = __MORE_PAGES__;
