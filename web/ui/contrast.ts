/** The WCAG 2 contrast ratio of two colours (`#rrggbb`), from 1 (none) to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const weights = [0.2126, 0.7152, 0.0722];

function luminanceOf(color: string): number {
  return weights.reduce((sum, weight, index) => {
    const share = Number.parseInt(color.slice(1 + index * 2, 3 + index * 2), 16) / 255;
    return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  }, 0);
}

/** Below this ratio even large text is hard to read. The site's default, white on blue, has 3.7. */
const READABLE_MIN = 3;

export const isReadable = (text: string, ground: string): boolean => contrastOf(text, ground) >= READABLE_MIN;

/** What text needs to be read without effort. */
const EASY_MIN = 4.5;
/** One of the two, black or white, gives any text this contrast; below this brightness it is white. */
const BRIGHT_MIN = 0.179;
const STEP = 4;

/**
 * The colour that a bubble is shown in: the chosen one, mixed with black for bright text or with white for dark text,
 * in steps of 4 % until the text can be read. The choice itself is kept as it is.
 */
export function readableBubble(bubble: string, text: string): string {
  const target = luminanceOf(text) > BRIGHT_MIN ? 0 : 255;
  for (let percent = 0; ; percent += STEP) {
    const shown = mixed(bubble, target, percent);
    if (percent >= 100 || contrastOf(text, shown) >= EASY_MIN) return shown;
  }
}

/** A colour of which some percent are replaced by black (0) or white (255). */
function mixed(color: string, target: number, percent: number): string {
  const parts = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16);
    const value = Math.round((part * (100 - percent) + target * percent) / 100);
    return value.toString(16).padStart(2, '0');
  });
  return `#${parts.join('').toUpperCase()}`;
}
