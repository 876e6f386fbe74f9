/**
 * The pages that exist because an operator added Markdown for them, by name. Known when the web is built, and named in
 * every footer.
 */
export const morePages: readonly ('blog' | 'careers')[] = __MORE_PAGES__;
