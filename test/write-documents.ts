import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentsMade } from './documents.ts';
import { root } from './source-tree.ts';

/** `npm run documents`: writes what documents have from the code and from the titles of tests. */
for (const { path, text } of documentsMade()) writeFileSync(join(root, path), text);
