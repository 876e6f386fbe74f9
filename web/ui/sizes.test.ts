import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { below, breakpoints, from, menuMs, sheetMs } from './sizes.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

it('has the durations of the style tokens', () => {
  assert.match(css, new RegExp(`--e-time-menu: ${menuMs}ms;`));
  assert.match(css, new RegExp(`--e-time-sheet: ${sheetMs}ms;`));
});

it('separates windows below a breakpoint from those at it', () => {
  const boundOf = (query: string) => Number(/: ([\d.]+)em/.exec(query)?.[1]) * 16;
  for (const name of Object.keys(breakpoints) as (keyof typeof breakpoints)[]) {
    assert.equal(boundOf(from(name)), breakpoints[name]);
    assert.ok(boundOf(below(name)) < breakpoints[name]);
    assert.ok(boundOf(below(name)) > breakpoints[name] - 0.5);
  }
});
