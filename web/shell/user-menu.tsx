import { Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconGauge,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { languageNames } from '#web/client/languages.ts';
import { useLogout, useMember } from '#web/client/session.ts';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import { AvatarButton } from './avatar-button.tsx';
import { PANEL_PATH } from './navigation.ts';
import styles from './user-menu.module.css';

const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

/**
 * The user menu: name, settings, colour scheme, language and sign-out. It renders open, because the press that opens it
 * also loads it.
 */
export function UserMenu() {
  const { t } = useTranslation();
  const member = useMember();
  // The pressed button was replaced when the menu loaded, so the focus returns to this one.
  const avatar = useRef<HTMLButtonElement>(null);
  const logout = useLogout();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { other, choose } = useLanguageChoice();
  const SchemeIcon = icons[colorScheme];

  return (
    <Menu position="bottom-end" width={264} defaultOpened onClose={() => avatar.current?.focus()}>
      <Menu.Target>
        <AvatarButton member={member} ref={avatar} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <p className={styles.name}>{fullNameOf(member)}</p>
          <p className="caption dimmer">{member.email}</p>
        </div>
        <Menu.Divider />
        {member.role === 'admin' && (
          <Menu.Item component={Link} to={PANEL_PATH} leftSection={<IconGauge size={18} stroke={1.75} />}>
            {t('nav.panel')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={18} stroke={1.75} />}>
          {t('nav.profile')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={18} stroke={1.75} />}>
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={<SchemeIcon size={18} stroke={1.75} />}
          onClick={() => setColorScheme(next[colorScheme])}
        >
          {t('common.scheme')}: {t(`common.schemes.${colorScheme}`)}
        </Menu.Item>
        <Menu.Item
          lang={other}
          leftSection={<IconLanguage size={18} stroke={1.75} />}
          onClick={() => choose(other)}
        >
          {languageNames[other]}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={() => void logout()}>
          {t('nav.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
