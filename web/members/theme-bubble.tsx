import type { CSSProperties } from 'react';
import { chatColor } from '#contract/members.ts';
import styles from './theme-bubble.module.css';

type ThemeBubbleProps = { bubbleColor: string; textColor: string; children: string; isSmall?: boolean };

/**
 * A picture of a message in a member's own colours. Its words are part of the picture and no text of the page: they may
 * be chosen to be hard to read, and whoever listens is told the theme by its name.
 */
export function ThemeBubble({ bubbleColor, textColor, children, isSmall = false }: ThemeBubbleProps) {
  const colors = { '--bubble': shown(bubbleColor), '--bubble-text': shown(textColor) } as CSSProperties;
  return (
    <span
      className={styles.bubble}
      style={colors}
      data-small={isSmall || undefined}
      data-words={children}
      aria-hidden="true"
    />
  );
}

/** While a colour is typed it is none yet. */
const shown = (color: string) => (chatColor.safeParse(color).success ? color : 'transparent');
