import { createHash } from 'node:crypto';
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, LOGO_SIDE_MIN } from '#contract/brand.ts';
import { type Database, type Reader, sql } from './database.ts';
import { InvalidRequest } from './http/problem.ts';
import { readImageFile } from './image-file.ts';

/**
 * The logos of the site. A logo's name has the hash of its bytes, so a page never shows another one under the same URL,
 * and its side, so that pages keep its place before it is loaded.
 */

/** Older ones are deleted. Pages that are open and mails that were sent may name one of these. */
const KEPT_MAX = 20;

const faultOf = (message: string) => new InvalidRequest([{ path: 'brand.logo', message }]);

/**
 * Stores a logo and returns its name. The same file is stored once.
 * @param base64 the file @throws Refusal `invalid-request` at `brand.logo` with what is wrong
 */
export async function keepLogo(database: Database, base64: string): Promise<string> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > LOGO_BYTES_MAX) throw faultOf(`The file may have at most ${LOGO_BYTES_MAX / 1_024} KiB`);
  const image = readImageFile(bytes);
  if (image === undefined) throw faultOf('Must be a PNG, JPEG or WebP image that does not move');
  const { width, height, type } = image;
  if (width !== height || width < LOGO_SIDE_MIN || width > LOGO_SIDE_MAX)
    throw faultOf(
      `Must be square with a side of ${LOGO_SIDE_MIN} to ${LOGO_SIDE_MAX} pixels, and is ${width} × ${height}`,
    );
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}-${width}.${type}`;
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into platform.logos (name, bytes) values (${name}, ${bytes}) on conflict (name) do nothing`);
    await tx.rows(sql`
      delete from platform.logos where name in (
        select l.name from platform.logos l
        where l.name <> ${name} and l.name is distinct from
          (select s.value -> 'brand' ->> 'logo' from platform.settings s where s.key = 'site')
        order by l.added_at desc offset ${KEPT_MAX})`);
  });
  return name;
}

/** Undefined for a name that is not kept. */
export async function findLogo(reader: Reader, name: string): Promise<Buffer | undefined> {
  const row = await reader.row<{ bytes: Buffer }>(sql`select bytes from platform.logos where name = ${name}`);
  return row?.bytes;
}
