import { createContext, use } from 'react';

/** Opens the dialog of the list's notices, for a sheet that leads to one. Undefined outside a list. */
export const NoticesOpener = createContext<(() => void) | undefined>(undefined);

export const useNoticesOpener = () => use(NoticesOpener);
