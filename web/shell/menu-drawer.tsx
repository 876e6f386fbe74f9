import { UnstyledButton } from '@mantine/core';
import {
  IconClipboardText,
  IconDeviceGamepad2,
  IconGauge,
  IconHistory,
  IconHome,
  IconLogout,
  IconSettings,
  IconUser,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { useLogout, useMember } from '#web/client/session.ts';
import { LanguageLink } from '#web/ui/language-link.tsx';
import { SchemeChoice } from '#web/ui/scheme-choice.tsx';
import { SideMenu } from '#web/ui/side-menu.tsx';
import styles from './menu-drawer.module.css';
import { PANEL_PATH } from './navigation.ts';

const menuLinks = [
  { to: '/', label: 'nav.home', icon: IconHome, exact: true },
  { to: '/tasks', label: 'nav.tasks', icon: IconDeviceGamepad2, exact: false },
  { to: '/surveys', label: 'nav.surveys', icon: IconClipboardText, exact: false },
  { to: '/history', label: 'nav.history', icon: IconHistory, exact: false },
  { to: '/withdrawal', label: 'nav.withdraw', icon: IconWallet, exact: false },
  { to: '/referrals', label: 'nav.referrals', icon: IconUsers, exact: false },
  { to: '/profile', label: 'nav.profile', icon: IconUser, exact: false },
  { to: '/settings', label: 'nav.settings', icon: IconSettings, exact: false },
] as const;

/** The full menu on a phone. */
export function MenuDrawer({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { t } = useTranslation();
  const member = useMember();
  const logout = useLogout();
  return (
    <SideMenu isOpen={isOpen} onClose={close} title={t('nav.menu')}>
      <p className={styles.name}>{fullNameOf(member)}</p>
      <p className="caption dimmer">{member.email}</p>
      <nav className={styles.links} aria-label={t('nav.menu')}>
        {menuLinks.map(({ to, label, icon: Icon, exact }) => (
          <Link key={to} to={to} onClick={close} activeOptions={{ exact, includeSearch: false }}>
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            {t(label)}
          </Link>
        ))}
        {member.role === 'admin' && (
          <Link to={PANEL_PATH} onClick={close}>
            <IconGauge size={20} stroke={1.75} aria-hidden="true" />
            {t('nav.panel')}
          </Link>
        )}
        <UnstyledButton onClick={() => void logout()}>
          <IconLogout size={20} stroke={1.75} aria-hidden="true" />
          {t('nav.logout')}
        </UnstyledButton>
      </nav>
      <SchemeChoice size="sm" />
      <div className={styles.language}>
        <LanguageLink />
      </div>
    </SideMenu>
  );
}
