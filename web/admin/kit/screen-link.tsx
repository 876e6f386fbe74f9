import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type ScreenLinkProps = { to: string; children: ReactNode; onClick?: () => void };

/** A link to a path with a query, as the server names it. */
export function ScreenLink({ to, children, onClick }: ScreenLinkProps) {
  const { pathname, searchParams } = new URL(to, location.origin);
  return (
    <Link
      to={pathname as '/'}
      search={Object.fromEntries(searchParams) as never}
      className="link"
      {...(onClick && { onClick })}
    >
      {children}
    </Link>
  );
}
