import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Detection, type DetectionLink, readDetectionLinks } from '#contract/risk-signals.ts';
import { shortenMiddle } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './link-graph.module.css';

/**
 * What the members of a detection have in common, as lines between members and things. A payout address and a mailbox
 * are strong evidence, a browser is medium, and a network address is none.
 */
const strengths = {
  'payout-address': 'strong',
  mailbox: 'strong',
  device: 'medium',
  network: 'none',
} as const satisfies Record<DetectionLink['kind'], string>;

/** The width of the lines, and the height of a box with the space below it, in pixels. */
const LINES_PX = 64;
const ROW_PX = 56;
const GAP_PX = 8;

type Named = { id: string; name: string };

export function LinkGraph({ row }: { row: Detection }) {
  const { t } = useTranslation();
  const { data } = useRead(readDetectionLinks, { params: { id: row.id } });
  if (data === undefined) return null;
  const members = [{ id: row.primaryUserId, name: row.primaryName }, ...row.members];
  const { links } = data;
  if (links.length === 0) return <p className={styles.sentence}>{t('detections.graph.nothing')}</p>;
  const used = new Set(links.map(({ kind }) => strengths[kind]));
  return (
    <>
      <p className={styles.sentence}>
        {t(`detections.graph.${used.has('none') ? 'sentenceWithNetwork' : 'sentence'}`)}
      </p>
      <Graph members={members} links={links} />
      <p className={styles.legend} aria-hidden="true">
        {(['strong', 'medium', 'none'] as const)
          .filter((strength) => used.has(strength))
          .map((strength) => (
            <span key={strength} data-strength={strength}>
              {t(`detections.graph.strengths.${strength}`)}
            </span>
          ))}
      </p>
    </>
  );
}

const keyOf = ({ kind, value }: DetectionLink): string => `${kind} ${value}`;

function Graph({ members, links }: { members: readonly Named[]; links: readonly DetectionLink[] }) {
  const { t, i18n } = useTranslation();
  const height = Math.max(members.length, links.length) * ROW_PX - GAP_PX;
  /** The middle of a box of a column whose boxes stand in the middle of the height. */
  const middleOf = (index: number, count: number) =>
    (height - (count * ROW_PX - GAP_PX)) / 2 + index * ROW_PX + (ROW_PX - GAP_PX) / 2;
  /** A detection has more members than are drawn. */
  const unseenOf = ({ memberIds }: DetectionLink) =>
    memberIds.filter((memberId) => !members.some(({ id }) => id === memberId)).length;
  const namesOf = ({ memberIds }: DetectionLink) =>
    new Intl.ListFormat(i18n.language).format(
      members.filter(({ id }) => memberIds.includes(id)).map(({ name }) => name),
    );
  return (
    <div className={styles.graph}>
      <ul className={styles.column}>
        {members.map(({ id, name }) => (
          <li key={id} className={styles.box}>
            <Link to="/management-panel-x7k9w/users/member" search={{ id }} title={name}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <svg
        className={styles.lines}
        viewBox={`0 0 ${LINES_PX} ${height}`}
        style={{ width: LINES_PX, height }}
        aria-hidden="true"
      >
        {links.flatMap((link, place) =>
          members.map(({ id }, index) => {
            if (!link.memberIds.includes(id)) return null;
            const [from, to] = [middleOf(index, members.length), middleOf(place, links.length)];
            const half = LINES_PX / 2;
            return (
              <path
                key={`${keyOf(link)} ${id}`}
                data-strength={strengths[link.kind]}
                d={`M0 ${from} C${half} ${from} ${half} ${to} ${LINES_PX} ${to}`}
              />
            );
          }),
        )}
      </svg>
      <ul className={styles.column}>
        {links.map((link) => (
          <li key={keyOf(link)} className={styles.box} data-strength={strengths[link.kind]}>
            <b>
              {t(`detections.graph.kinds.${link.kind}`)}
              {unseenOf(link) > 0 && ` ${t('detections.graph.more', { count: unseenOf(link) })}`}
            </b>
            <span className={styles.value} title={link.value}>
              {shortenMiddle(link.value)}
            </span>
            <span className="visually-hidden">{namesOf(link)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
