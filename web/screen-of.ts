import { lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from './client/words.ts';
import type { TitleKey } from './shell/page-title.tsx';

type Screen<Path, Title, Code> = {
  path: Path;
  title: Title;
  load: () => Promise<Code>;
  wordsOf: readonly string[];
};

/** The parts of a route that its screen defines. `name` is the component among the exports of the screen's file. */
export const screenOf = <
  const Path extends string,
  const Title extends TitleKey,
  Code extends Record<string, unknown>,
  Name extends keyof Code,
>(
  { path, title, load, wordsOf }: Screen<Path, Title, Code>,
  name: Name,
) => ({
  path,
  staticData: { title },
  component: lazyRouteComponent(() => withWords(load(), ...wordsOf), name),
});
