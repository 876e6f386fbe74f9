import { enableCompileCache } from 'node:module';
import { buildWebIfStale } from '../web/build.ts';

/** `npm start`: builds the web where its sources changed, then becomes the server. */
enableCompileCache();
await buildWebIfStale();
await import('./main.ts');
