import presetMantine from 'postcss-preset-mantine';
import { type Breakpoint, below, breakpoints, from } from '../ui/sizes.ts';

/**
 * PostCSS plugins of every build: nesting, and the media queries `@mixin below tablet`, `@mixin from columns` and
 * `@mixin between tablet, wide`. An unknown breakpoint fails the build.
 */
function named(name: string): Breakpoint {
  if (!Object.hasOwn(breakpoints, name)) throw new Error(`There is no breakpoint ${name}`);
  return name as Breakpoint;
}

const media = (query: string) => ({ [`@media ${query}`]: { '@mixin-content': {} } });

const mixins = {
  below: (_: unknown, name: string) => media(below(named(name))),
  from: (_: unknown, name: string) => media(from(named(name))),
  between: (_: unknown, low: string, high: string) => media(`${from(named(low))} and ${below(named(high))}`),
};

export const stylePlugins = [presetMantine({ mixins })];
