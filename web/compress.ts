import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** What shrinks. Fonts and pictures are compressed already, and documents are when their words are filled in. */
const shrinks = /\.(js|css|svg|json)$/;
/** A smaller file fits into one packet as it is. */
const BYTES_MIN = 600;
/** The best brotli costs four times as long as this, for about a fiftieth less. */
const BROTLI_QUALITY = 10;

/** Writes the brotli and gzip form beside every file of a build that gains by it. */
export async function compressFiles(dir: string): Promise<void> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && shrinks.test(entry.name) && !entry.parentPath.endsWith('documents'),
  );
  await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      if (bytes.length < BYTES_MIN) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      const [brotli, gzipped] = await Promise.all([
        brotliAsync(bytes, { params }),
        gzipAsync(bytes, { level: 9 }),
      ]);
      if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
      if (gzipped.length < bytes.length) writeFileSync(`${path}.gz`, gzipped);
    }),
  );
}
