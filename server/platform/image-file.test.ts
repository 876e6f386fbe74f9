import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readImageFile } from './image-file.ts';

const png = readFileSync(new URL('../../web/public/icons/icon-192.png', import.meta.url));
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffc0000b080100012c01011100', 'hex'),
  Buffer.from('ffda0008010100003f00', 'hex'),
  Buffer.from('00ffd9', 'hex'),
]);
const riff = (chunk: string, body: string) => {
  const data = Buffer.from(body, 'hex');
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + data.length, 4);
  head.write('WEBP', 8, 'latin1');
  head.write(chunk, 12, 'latin1');
  head.writeUInt32LE(data.length, 16);
  return Buffer.concat([head, data]);
};
const webp = riff('VP8L', '2fbfc02f000000000000');

describe('an image that is uploaded', () => {
  it('is read with its type and size', () => {
    assert.deepEqual(readImageFile(png), { type: 'png', width: 192, height: 192 });
    assert.deepEqual(readImageFile(jpeg), { type: 'jpg', width: 300, height: 256 });
    assert.deepEqual(readImageFile(webp), { type: 'webp', width: 192, height: 192 });
    assert.deepEqual(readImageFile(riff('VP8X', '00000000ff0100ff0100')), {
      type: 'webp',
      width: 512,
      height: 512,
    });
    assert.deepEqual(readImageFile(riff('VP8 ', '0000009d012ac000c000')), {
      type: 'webp',
      width: 192,
      height: 192,
    });
  });

  it('is refused with anything behind it, cut off, moving or of another type', () => {
    const moving = Buffer.concat([
      png.subarray(0, 33),
      Buffer.from('0000000061635444', 'hex'),
      png.subarray(33),
    ]);
    moving.write('acTL', 37, 'latin1');
    for (const bytes of [
      Buffer.concat([png, Buffer.from('<script>')]),
      Buffer.concat([jpeg, Buffer.from('<script>')]),
      Buffer.concat([webp, Buffer.from('<script>')]),
      png.subarray(0, -1),
      jpeg.subarray(0, -1),
      webp.subarray(0, -1),
      png.subarray(0, 60),
      moving,
      riff('VP8X', '02000000ff0100ff0100'),
      riff('JUNK', '00000000000000000000'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from('GIF89a'.padEnd(64, '0')),
      Buffer.alloc(0),
      Buffer.alloc(64),
    ])
      assert.equal(readImageFile(bytes), undefined, bytes.subarray(0, 40).toString('latin1'));
  });
});
