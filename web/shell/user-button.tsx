import { lazy, Suspense, useState } from 'react';
import { useMember } from '#web/client/session.ts';
import { AvatarButton } from './avatar-button.tsx';

const loadMenu = () => import('./user-menu.tsx').then((file) => ({ default: file.UserMenu }));
const UserMenu = lazy(loadMenu);

/** The avatar of the top bar. Hover or focus loads its menu; a press renders it. */
export function UserButton() {
  const member = useMember();
  const [isWanted, setWanted] = useState(false);
  const avatar = (
    <AvatarButton
      member={member}
      aria-expanded={false}
      onClick={() => setWanted(true)}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
    />
  );
  if (!isWanted) return avatar;
  return (
    <Suspense fallback={avatar}>
      <UserMenu />
    </Suspense>
  );
}
