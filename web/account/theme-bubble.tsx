import type { CSSProperties } from 'react';
import { chatColor } from '#contract/members-account.ts';
import styles from './theme-bubble.module.css';

type ThemeBubbleProps = { bubbleColor: string; textColor: string; children: string; isSmall?: boolean };

/** A message in a member's own colours. It only shows them, so it is hidden from whoever listens. */
export function ThemeBubble({ bubbleColor, textColor, children, isSmall = false }: ThemeBubbleProps) {
  const colors = { '--bubble': shown(bubbleColor), '--bubble-text': shown(textColor) } as CSSProperties;
  return (
    <span className={styles.bubble} style={colors} data-small={isSmall || undefined} aria-hidden="true">
      {children}
    </span>
  );
}

/** While a colour is typed it is none yet. */
const shown = (color: string) => (chatColor.safeParse(color).success ? color : 'transparent');
