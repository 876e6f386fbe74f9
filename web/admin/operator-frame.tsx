import type { ReactNode } from 'react';

export function OperatorFrame({ children }: { children: ReactNode }) {
  return <div>{children}</div>;
}
