import { createContext, useContext } from 'react';

/** The e-mail address that was typed on this page. The next of its forms begins with it. */
export const TypedEmail = createContext<{ current: string }>({ current: '' });

/** The address that a form of the page begins with, and how it keeps the one that is typed in it. */
export function useTypedEmail(): { begun: string; keep: (email: string) => void } {
  const typed = useContext(TypedEmail);
  const keep = (email: string) => {
    typed.current = email;
  };
  return { begun: typed.current, keep };
}
