import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createInstance } from 'i18next';
import { build, type Rolldown } from 'vite';
import { wordFiles } from '../../test/words.ts';
import { missingWords, withMissing } from './missing-words.ts';

const english = {
  title: 'History',
  rows: { days_one: '{count} day', days_other: '{count} days', empty: 'No rows' },
  more: { points_one: '{count} point', points_other: '{count} points' },
};

test('builds Korean words with the English texts that are missing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'words-'));
  t.after(() => rm(folder, { recursive: true }));
  const korean = { title: '내역', rows: { days_other: '{count}일' } };
  await writeFile(join(folder, 'words.en.json'), JSON.stringify(english));
  await writeFile(join(folder, 'words.ko.json'), JSON.stringify(korean));
  await writeFile(join(folder, 'main.js'), `export { default } from './words.ko.json';`);
  const built = (await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [missingWords],
    build: { write: false, lib: { entry: join(folder, 'main.js'), formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  const code = built[0]?.output[0].code ?? assert.fail();
  const { default: words } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.deepEqual(words, {
    title: '내역',
    rows: { days_other: '{count}일', empty: 'No rows' },
    more: { points_other: '{count} points' },
  });

  const page = createInstance();
  await page.init({
    lng: 'ko',
    fallbackLng: false,
    resources: { ko: { translation: words } },
    interpolation: { prefix: '{', suffix: '}' },
  });
  assert.equal(page.t('rows.days', { count: 1 }), '1일');
  assert.equal(page.t('rows.empty'), 'No rows');
  assert.equal(page.t('more.points', { count: 1 }), '1 points');
  assert.equal(page.t('rows.unknown'), 'rows.unknown');
});

test('adds nothing to the Korean words of the site, which are complete', () => {
  const files = wordFiles('en');
  assert.ok(files.length > 10);
  for (const [index, { words }] of wordFiles('ko').entries())
    assert.deepEqual(withMissing(words, files[index]?.words ?? {}), words);
});
