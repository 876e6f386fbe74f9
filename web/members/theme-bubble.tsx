import type { CSSProperties } from 'react';
import { chatColor } from '#contract/members.ts';
import styles from './theme-bubble.module.css';

type ThemeBubbleProps = { bubbleColor: string; textColor: string; children: string; isSmall?: boolean };

/**
 * Shows a chat message in the member's colours. The sample text is drawn by CSS and hidden from screen readers, because
 * the chosen colours may be unreadable. The theme's name describes it instead.
 */
export function ThemeBubble({ bubbleColor, textColor, children, isSmall = false }: ThemeBubbleProps) {
  const colors = {
    '--bubble': validOrTransparent(bubbleColor),
    '--bubble-text': validOrTransparent(textColor),
  } as CSSProperties;
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

/** An incomplete colour is not applied. */
const validOrTransparent = (color: string) => (chatColor.safeParse(color).success ? color : 'transparent');
