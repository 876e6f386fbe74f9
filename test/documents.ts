import type { Source } from './source-tree.ts';
import { coverageOf, testSources } from './spec-coverage.ts';

/** What `npm run documents` writes. A test holds it against the files. */
export const documentsMade = (): Source[] => [
  { path: 'docs/spec-coverage.md', text: coverageOf(testSources()) },
];
