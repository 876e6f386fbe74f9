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

/** The heading of a screen and its introduction, which wraps on phones. */
export const HeadingSkeleton = () => (
  <>
    <div className={styles.title}>
      <Bar width={180} height={20} />
    </div>
    <div className={styles.lead}>
      <Bar width="96%" height={12} />
      <Bar width="52%" height={12} />
    </div>
  </>
);

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

/** The heading of a card with rows. */
export const CardHeadSkeleton = () => (
  <div className="card-head">
    <Bar width={132} height={16} />
  </div>
);

/** Parts below one another. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);
