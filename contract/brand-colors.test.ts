import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brandChange } from './brand.ts';
import {
  colorsOf,
  contrastOf,
  derivedDark,
  failedPairs,
  grounds,
  nearestPassing,
  ownMainColors,
  pairsOf,
  SHAPE_CONTRAST_MIN,
  shownContrast,
  TEXT_CONTRAST_MIN,
} from './brand-colors.ts';
import { brandStyles, schemes } from './brand-styles.ts';

const secondaryInk = { light: '#455047', dark: '#BCC6BD' } as const;

/** Colours around the wheel, at every lightness, and greys. */
const wheel = Array.from({ length: 6 ** 3 }, (_, number) => {
  const part = (divisor: number) => (Math.floor(number / divisor) % 6) * 51;
  return `#${[part(1), part(6), part(36)].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
});

describe('the contrast of colours', () => {
  it('follows the WCAG formula', () => {
    assert.equal(shownContrast(contrastOf('#000000', '#FFFFFF')), '21.00');
    assert.equal(shownContrast(contrastOf('#767676', '#ffffff')), '4.54');
    assert.equal(shownContrast(contrastOf('#777777', '#ffffff')), '4.47');
    assert.equal(shownContrast(4.4999), '4.49', 'what is not enough never reads as enough');
  });

  it('is enough for the site’s own main colours', () => {
    for (const scheme of schemes) assert.deepEqual(failedPairs(scheme, ownMainColors[scheme]), []);
  });

  it('names every pair that a colour fails', () => {
    assert.deepEqual(
      failedPairs('light', '#E07A2F').map(({ pair, contrast }) => [pair, shownContrast(contrast)]),
      [
        ['button', '2.95'],
        ['links', '2.66'],
        ['cover', '2.78'],
        ['coin', '1.55'],
      ],
    );
    assert.deepEqual(
      failedPairs('dark', '#0F4D37').map(({ pair }) => pair),
      ['button', 'links'],
    );
  });

  it('is enough in every shade that is derived from a colour that passes', () => {
    let count = 0;
    for (const light of wheel.filter((color) => failedPairs('light', color).length === 0)) {
      count += 1;
      assert.deepEqual(failedPairs('dark', derivedDark(light)), [], light);
      for (const { pair, contrast, contrastMin } of pairsOf('dark', derivedDark(light), light))
        assert.ok(contrast >= contrastMin, `${light} ${pair}`);
      const colors = colorsOf({ light, dark: null });
      for (const scheme of schemes) {
        const of = (name: string) => colors[scheme]?.[name] ?? assert.fail(name);
        const { sheet, coin } = grounds[scheme];
        for (const [one, other, least] of [
          [of('on-green'), of('green'), TEXT_CONTRAST_MIN],
          [of('on-green'), of('green-hover'), TEXT_CONTRAST_MIN],
          [of('on-green-soft'), of('green-soft'), TEXT_CONTRAST_MIN],
          [of('on-cover'), of('cover'), TEXT_CONTRAST_MIN],
          [of('on-cover-2'), of('cover'), TEXT_CONTRAST_MIN],
          [of('on-cover-2'), of('cover-2'), TEXT_CONTRAST_MIN],
          [coin, of('cover'), SHAPE_CONTRAST_MIN],
          [of('cover-tick'), of('cover'), SHAPE_CONTRAST_MIN],
          [of('bar'), sheet, SHAPE_CONTRAST_MIN],
          [secondaryInk[scheme], of('green-soft'), TEXT_CONTRAST_MIN],
          [of('focus'), sheet, SHAPE_CONTRAST_MIN],
        ] as const)
          assert.ok(contrastOf(one, other) >= least, `${light} ${scheme} ${one} ${other}`);
      }
    }
    assert.ok(count > 50, `${count} colours`);
  });

  it('finds a colour that passes near any colour', () => {
    for (const scheme of schemes)
      for (const color of wheel)
        assert.deepEqual(failedPairs(scheme, nearestPassing(scheme, color)), [], color);
    assert.equal(nearestPassing('light', '#123456'), '#123456');
  });
});

describe('a main colour', () => {
  it('is refused with a sentence for each pair that it fails', () => {
    const { error } = brandChange.safeParse({ lightColor: '#e07a2f' });
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [
        ['lightColor', 'Text on the button has a contrast of 2.95 in the light scheme and needs 4.5'],
        ['lightColor', 'Links on paper has a contrast of 2.66 in the light scheme and needs 4.5'],
        ['lightColor', 'Text on the cover has a contrast of 2.78 in the light scheme and needs 4.5'],
        ['lightColor', 'The coin on the cover has a contrast of 1.55 in the light scheme and needs 3'],
      ],
    );
  });

  it('becomes a style sheet of tokens, and none without a colour', () => {
    assert.equal(brandStyles(colorsOf({ light: null, dark: null })), '');
    const styles = brandStyles(colorsOf({ light: '#123456', dark: null }));
    assert.match(styles, /^:root\[data-mantine-color-scheme="light"\]\{--e-green:#123456;/);
    assert.match(styles, /:root\[data-mantine-color-scheme="dark"\]\{--e-green:#[0-9A-F]{6};/);
    assert.deepEqual(colorsOf({ light: null, dark: '#AABBCC' }).light, null);
    assert.equal(colorsOf({ light: null, dark: '#AABBCC' }).dark?.cover, undefined, 'the site’s cover stays');
  });
});
