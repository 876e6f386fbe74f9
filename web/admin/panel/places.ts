import type { Icon } from '@tabler/icons-react';

/** A place of the rail, as the palette and the sheet of keys show it. */
export type Place = {
  name: string;
  label: string;
  path: string;
  icon: Icon;
  letter: string;
  /** What waits there. */
  count: number;
};
