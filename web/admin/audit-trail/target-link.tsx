import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { screenOfTarget, type TargetKind } from '#contract/acts.ts';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { shortenMiddle } from '#web/client/format.ts';
import styles from './target-link.module.css';

type Props = { kind: TargetKind | null; id: string; isShort?: boolean; name?: string | null };

/** The word for a target of which there is one, so that its id is its kind; undefined for another. */
function useTargetWord(kind: TargetKind | null, id: string): string | undefined {
  const { t } = useTranslation();
  return kind !== null && id === kind ? t(`auditTrail.kinds.${kind}`) : undefined;
}

/** An id, or the name of its member, as a link to the screen that shows the thing; as plain text if no screen does. */
function IdLink({ kind, id, isShort = false, name = null }: Props) {
  const screen = screenOfTarget(kind, id);
  const word = useTargetWord(kind, id);
  const text = name ?? word ?? (isShort ? shortenMiddle(id) : id);
  if (screen === undefined)
    return (
      <span className={word === undefined ? 'mono' : undefined} title={id}>
        {text}
      </span>
    );
  return (
    <Link
      to={screen.path}
      search={screen.search as never}
      className={`${name === null && word === undefined ? 'mono' : ''} ${styles.link}`}
      title={id}
      // The row around it would open its sheet.
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}

/** What an act changed, in a line that is no link. */
export function TargetWord({ kind, id }: { kind: TargetKind | null; id: string }) {
  const word = useTargetWord(kind, id);
  return word ?? <span className="mono">{shortenMiddle(id)}</span>;
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
