import { lazy, Suspense } from 'react';
import { readDecisions } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import { useRead } from '#web/client/use-call.ts';
import { withWords } from '#web/client/words.ts';
import { unreadAnswerIn } from './read-answers.ts';

const HomeNotice = lazy(() =>
  withWords(import('./home-notice.tsx'), 'decisions').then((file) => ({ default: file.HomeNotice })),
);

/** Shows an answer that this browser has not shown, else the newest block that is active. Loads no code without. */
export function LazyHomeNotice() {
  const { data = [] } = useRead(readDecisions, undefined, { refetchOnMount: 'always' });
  const answered = unreadAnswerIn(data);
  const shown = answered ?? data.find(({ kind, isActive }) => isActive && isBlock(kind));
  if (shown === undefined) return null;
  return (
    <Suspense>
      <HomeNotice decision={shown} isAnswer={shown === answered} />
    </Suspense>
  );
}
