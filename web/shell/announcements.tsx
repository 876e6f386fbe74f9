import { lazy, Suspense } from 'react';
import { withWords } from '#web/client/words.ts';
import frame from './member-area.module.css';

/** A page without its announcements is better than none. */
const withoutAnnouncements = (error: unknown) => {
  console.warn('The announcements could not be loaded.', error);
  return { default: () => null };
};

const MemberAnnouncements = lazy(() =>
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
