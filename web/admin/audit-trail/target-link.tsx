import { Link } from '@tanstack/react-router';
import { screenOfTarget, type TargetKind } from '#contract/acts.ts';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { shortenMiddle } from '#web/client/format.ts';
import styles from './target-link.module.css';

type Props = { kind: TargetKind | null; id: string; isShort?: boolean; name?: string | null };

/** An id, or the name of its member, as a link to the screen that shows the thing; as plain text if no screen does. */
function IdLink({ kind, id, isShort = false, name = null }: Props) {
  const screen = screenOfTarget(kind, id);
  const text = name ?? (isShort ? shortenMiddle(id) : id);
  if (screen === undefined)
    return (
      <span className="mono" title={id}>
        {text}
      </span>
    );
  return (
    <Link
      to={screen.path}
      search={screen.search as never}
      className={`${name === null ? 'mono' : ''} ${styles.link}`}
      title={id}
      // The row around it would open its sheet.
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}

/** What an act changed. */
export const TargetLink = ({ act, isShort = false }: { act: RecordedAct; isShort?: boolean }) => (
  <IdLink
    kind={act.targetKind}
    id={act.target}
    isShort={isShort}
    name={act.targetKind === 'member' ? act.memberName : null}
  />
);

/** The member whom an act is about. */
export const MemberLink = ({ act: { memberId, memberName } }: { act: RecordedAct }) =>
  memberId === null ? '–' : <IdLink kind="member" id={memberId} name={memberName} />;
