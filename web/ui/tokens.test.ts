import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contrastOf, grounds, ownMainColors } from '#contract/brand-colors.ts';

/** Checks the WCAG 2 contrast of every colour pair that the screens use, in both schemes. */

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensOf(scheme: 'light' | 'dark'): Map<string, string> {
  const rules = css.slice(css.search(new RegExp(`color-scheme=['"]${scheme}['"]`)));
  const block = rules.slice(rules.indexOf('{'), rules.indexOf('}'));
  return new Map(
    [...block.matchAll(/--e-([a-z0-9-]+):\s*(#[0-9a-fA-F]{6})/g)].map((match) => [
      match[1] as string,
      match[2] as string,
    ]),
  );
}

const texts = [
  'ink/paper ink/sheet ink/sunk ink-2/paper ink-2/sheet ink-2/sunk ink-3/paper ink-3/sheet ink-3/sunk',
  'green-text/paper green-text/sheet on-green/green on-green/green-hover on-green-soft/green-soft',
  'on-coin/coin on-coin/coin-hover coin-text/paper coin-text/sheet coin-text/coin-soft',
  'ok/ok-soft wait/wait-soft bad/bad-soft warn/warn-soft bad/sheet warn/sheet wait/sheet',
  'ink/warn-soft ink/bad-soft ink-2/green-soft ink/green-soft',
  'on-cover/cover on-cover-2/cover on-cover-2/cover-2 cover-2/on-cover on-plate/plate sheet/bad',
].flatMap((line) => line.split(' '));
const shapes = [
  'coin/cover cover-tick/cover line-strong/sheet line-strong/paper',
  'focus/paper focus/sheet bar/sheet bar-now/sheet coin-edge/sheet',
].flatMap((line) => line.split(' '));

for (const scheme of ['light', 'dark'] as const) {
  const tokens = tokensOf(scheme);
  const ratioOf = (pair: string) => {
    const [front = '', back = ''] = pair.split('/');
    const colours = [tokens.get(front), tokens.get(back)];
    assert.ok(colours[0] && colours[1], `${scheme}: ${pair} names a colour that is not there`);
    return contrastOf(colours[0], colours[1]);
  };

  test(`has the grounds and the main colour on which a brand's colours are checked, in the ${scheme} scheme`, () => {
    const { paper, sheet, coin, onGreen, onCover } = grounds[scheme];
    const checked = {
      paper,
      sheet,
      coin,
      'on-green': onGreen,
      'on-cover': onCover,
      green: ownMainColors[scheme],
    };
    for (const [name, color] of Object.entries(checked))
      assert.equal(tokens.get(name)?.toUpperCase(), color, name);
  });

  test(`keeps text readable in the ${scheme} scheme`, () => {
    for (const pair of texts)
      assert.ok(Math.round(ratioOf(pair) * 10) / 10 >= 4.5, `${pair} is ${ratioOf(pair).toFixed(2)}`);
  });

  test(`keeps shapes distinguishable in the ${scheme} scheme`, () => {
    for (const pair of shapes)
      assert.ok(Math.round(ratioOf(pair) * 10) / 10 >= 3, `${pair} is ${ratioOf(pair).toFixed(2)}`);
  });
}

test('calculates both ends of the contrast scale', () => {
  assert.equal(contrastOf('#000000', '#FFFFFF'), 21);
  assert.equal(contrastOf('#777777', '#777777'), 1);
});
