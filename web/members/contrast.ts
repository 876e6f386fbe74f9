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
