/** Finds the words in braces, in the order of the text. It stands apart from the schemas, which screens don't load. */
export const bracedWordsOf = (given: string): string[] =>
  [...given.matchAll(/\{([^{}\n]{1,40})\}/g)].map(([, word = '']) => word);
