import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/**
 * File types to compress. Fonts and images are already compressed. Documents are compressed after their placeholders
 * are filled in.
 */
const compressible = /\.(js|css|svg|json)$/;
/** A smaller file fits into one packet uncompressed. */
const BYTES_MIN = 600;
/** Level 11 takes four times as long as this and saves another fiftieth. */
const BROTLI_QUALITY = 10;

/** Writes a brotli and a gzip copy beside every file that gets smaller by it. */
export async function compressFiles(dir: string): Promise<void> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && compressible.test(entry.name) && !entry.parentPath.endsWith('documents'),
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
