import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * Draws the images of `web/public/icons` from the mark, for home screens and link previews. Run it after a change of
 * the mark (`node web/build/draw-icons.ts`). The images are in the repository, because the build has no browser.
 */
const folder = fileURLToPath(new URL('../public/icons/', import.meta.url));

const mark = readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8').replace(
  /<title>.*<\/title>/,
  '',
);

/**
 * `scale` is the coin's share of the image. A phone crops a maskable icon, so its coin must stay within four fifths.
 */
type Picture = { file: string; width: number; height: number; scale: number; ground: string | null };
const pictures: Picture[] = [
  { file: 'icon-192.png', width: 192, height: 192, scale: 1, ground: null },
  { file: 'icon-512.png', width: 512, height: 512, scale: 1, ground: null },
  { file: 'maskable-192.png', width: 192, height: 192, scale: 0.78, ground: '#0F4D37' },
  { file: 'maskable-512.png', width: 512, height: 512, scale: 0.78, ground: '#0F4D37' },
  { file: 'apple-touch-icon.png', width: 180, height: 180, scale: 0.86, ground: '#0F4D37' },
  { file: 'share.png', width: 1200, height: 630, scale: 0.72, ground: '#0F4D37' },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
mkdirSync(folder, { recursive: true });
for (const { file, width, height, scale, ground } of pictures) {
  const page = await browser.newPage({ viewport: { width, height } });
  const size = Math.round(Math.min(width, height) * scale);
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground ?? 'transparent'}">
      <div style="width:${size}px;height:${size}px">${mark}</div></body>`,
  );
  writeFileSync(folder + file, await page.screenshot({ omitBackground: ground === null }));
  await page.close();
}
await browser.close();
