import { lazy, type ReactNode, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import frame from './member-area.module.css';

const Nothing = () => null;

/** A page without its announcements is better than none. */
function withoutAnnouncements(error: unknown) {
  console.warn('The announcements could not be loaded.', error);
  return { default: Nothing };
}

const MemberAnnouncements = lazy<() => ReactNode>(() =>
  withWords(import('#web/announcements/member-announcements.tsx'), 'announcements').then(
    (code) => ({ default: code.MemberAnnouncements }),
    withoutAnnouncements,
  ),
);

/** The place of the banner under the top bar. The skeleton has the same. */
export function Announcements() {
  return (
    <div className={frame.banner}>
      <Suspense>
        <MemberAnnouncements />
      </Suspense>
    </div>
  );
}
