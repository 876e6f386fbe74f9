import { UnstyledButton } from '@mantine/core';
import { IconGauge, IconLogout, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#web/ui/full-name.ts';
import { SideMenu } from '#web/ui/side-menu.tsx';
import { LanguageLink } from './language-link.tsx';
import styles from './menu-drawer.module.css';
import { memberLinks, PANEL_PATH } from './navigation.ts';
import { SchemeChoice } from './scheme-choice.tsx';
import { useLogout, useMember } from './session.ts';

/** The phone's whole menu, behind the three lines. */
export function MenuDrawer({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { t } = useTranslation();
  const member = useMember();
  const logout = useLogout();
  return (
    <SideMenu isOpen={isOpen} onClose={close} title={t('nav.menu')}>
      <p className={styles.name}>{fullNameOf(member)}</p>
      <p className="caption dimmer">{member.email}</p>
      <nav className={styles.links} aria-label={t('nav.menu')}>
        {memberLinks.map(({ to, label, icon: Icon, exact }) => (
          <Link key={to} to={to} onClick={close} activeOptions={{ exact, includeSearch: false }}>
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            {t(label)}
          </Link>
        ))}
        <Link to="/settings" onClick={close}>
          <IconSettings size={20} stroke={1.75} aria-hidden="true" />
          {t('nav.settings')}
        </Link>
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
