import type { Icon } from '@tabler/icons-react';

/** A line of the palette. */
export type Item = {
  key: string;
  icon: Icon;
  title: string;
  note?: string | undefined;
  caps?: readonly string[];
  /** What happens before it is done, for an act that asks. */
  warning?: string;
  /** The address of a place. It can be opened in a new tab. */
  link?: string;
  run: () => void;
};

export type ItemGroup = { title: string; items: readonly Item[] };

/** Whether a text has each word of what was typed, in any order. */
export const matches = (typed: string, text: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
