import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import styles from './skeleton-parts.module.css';

/**
 * The parts of a skeleton: the first paint of a document, which has no words. The caller measures each part on the real
 * screen, so that nothing moves when the screen replaces it.
 */

/** A number, or one for English and one for Korean. */
type Measure = number | readonly [english: number, korean: number];

/** A part's measure on phones, from tablets on, and from laptops on. */
export type Measures = readonly [phone: Measure, tablet: Measure, laptop: Measure];

function measured([phone, tablet, laptop]: Measures): CSSProperties {
  const inBoth = (name: string, measure: Measure) => {
    const [english, korean] = typeof measure === 'number' ? [measure, measure] : measure;
    return { [`--${name}`]: english, [`--${name}-ko`]: korean };
  };
  return {
    ...inBoth('phone', phone),
    ...inBoth('tablet', tablet),
    ...inBoth('laptop', laptop),
  } as CSSProperties;
}

/** A bar in the place of a text or control. It is not animated and does not imitate letters. */
export const Bar = ({ width, height }: { width: number | string; height: number }) => (
  <span className={styles.bar} style={{ width, height }} />
);

type HeadingProps = { lines?: Measures; className?: string | undefined };

/** The heading of a screen and the lines of its introduction, if it has one. `className` sets the gap below. */
export function HeadingSkeleton({ lines, className }: HeadingProps) {
  const title = <Bar width={180} height={20} />;
  if (lines === undefined) return <div className={clsx(styles.title, styles.alone, className)}>{title}</div>;
  return (
    <>
      <div className={styles.title}>{title}</div>
      <div className={clsx(styles.measured, styles.lead, className)} style={measured(lines)}>
        <Bar width="96%" height={12} />
        <Bar width="52%" height={12} />
      </div>
    </>
  );
}

const widths = ['72%', '88%', '64%', '80%', '56%', '76%'];

type CardProps = { heights: Measures; lines?: number; children?: ReactNode };

/** A card of a height, with a heading's bar and lines of content, or else with the given content. */
export function CardSkeleton({ heights, lines = 3, children }: CardProps) {
  return (
    <div className={clsx('card', styles.card, styles.measured, styles.height)} style={measured(heights)}>
      {children ?? (
        <div className={styles.content}>
          {lines > 0 && <Bar width={132} height={16} />}
          {Array.from({ length: lines }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
            <Bar key={index} width={widths[index % widths.length] ?? '64%'} height={12} />
          ))}
        </div>
      )}
    </div>
  );
}

/** A place of a height that is no card. */
export const PlaceSkeleton = ({ heights, children }: { heights: Measures; children?: ReactNode }) => (
  <div className={clsx(styles.measured, styles.height, styles.place)} style={measured(heights)}>
    {children}
  </div>
);

/** The heading of a card with rows. */
export const CardHeadSkeleton = () => (
  <div className="card-head">
    <Bar width={132} height={16} />
  </div>
);

/** Parts below one another. `gap` is the gap on phones if it is not the usual one. */
export const Stack = ({ gap, children }: { gap?: 'small' | 'large'; children: ReactNode }) => (
  <div className={styles.stack} data-gap={gap}>
    {children}
  </div>
);

/** Two columns from a breakpoint on. `side` is the screen with this breakpoint and width of the second column. */
export const Columns = ({
  side,
  children,
}: {
  side: 'profile' | 'referrals' | 'verify';
  children: ReactNode;
}) => (
  <div className={clsx(styles.stack, styles.columns)} data-side={side}>
    {children}
  </div>
);
