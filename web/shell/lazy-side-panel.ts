import { lazy } from 'react';
import { withWords } from '#web/client/words.ts';

/** The code and the words of the side panel. They are loaded when it is first opened, or shortly before. */
export const loadSidePanel = () =>
  withWords(import('./side-panel.tsx'), 'chat', 'claims', 'support').then((file) => ({
    default: file.SidePanel,
  }));

export const SidePanel = lazy(loadSidePanel);
