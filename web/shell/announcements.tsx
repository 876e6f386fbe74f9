import { MemberAnnouncements } from '#web/announcements/member-announcements.tsx';
import frame from './member-area.module.css';

/** The place of the banner under the top bar. The skeleton has the same. */
export function Announcements() {
  return (
    <div className={frame.banner}>
      <MemberAnnouncements />
    </div>
  );
}
