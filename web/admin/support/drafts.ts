/** Unsent responses by ticket, so that neither another ticket nor the other view loses one. */
export type Drafts = Map<string, string>;
