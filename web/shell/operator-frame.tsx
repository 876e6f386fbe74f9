import { Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import {
  type Icon,
  IconBook2,
  IconDeviceDesktop,
  IconHome,
  IconLanguage,
  IconLogout,
  IconMenu2,
  IconMessageCircle,
  IconMoon,
  IconSun,
  IconWallet,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { formatPoints } from '#web/client/format.ts';
import { languageNames } from '#web/client/languages.ts';
import { useBrandName, useLogout } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Mark } from '#web/ui/mark.tsx';
import { SideMenu } from '#web/ui/side-menu.tsx';
import { below, from } from '#web/ui/sizes.ts';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import { BOOKS_PATH, PANEL_PATH, TICKETS_PATH } from './navigation.ts';
import styles from './operator-frame.module.css';

/** The frame of the operators' screens: a navigation rail beside the work, on phones a menu. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <UnstyledButton className={styles.opener} onClick={open} aria-label={t('panel.openMenu')}>
          <IconMenu2 size={20} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
        <Name />
      </header>
      <div className={styles.rail}>
        <Links />
      </div>
      {children}
      <SideMenu isOpen={isOpen} onClose={close} title={t('panel.openMenu')}>
        <div className={styles.drawer}>
          <Links onPick={close} />
        </div>
      </SideMenu>
    </div>
  );
}

function Name() {
  const { t } = useTranslation();
  const brand = useBrandName();
  return (
    <Link to={PANEL_PATH} className={styles.name}>
      <Mark size={28} />
      <span>
        {brand} <small>{t('panel.area')}</small>
      </span>
    </Link>
  );
}

const schemeAfter = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

function Links({ onPick }: { onPick?: () => void }) {
  const { t } = useTranslation();
  const logout = useLogout();
  const { other, choose } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const pending = useRead(readWithdrawalStats).data?.pendingWithdrawals;
  return (
    <nav className={styles.links} aria-label={t('panel.menu')}>
      <Name />
      <p className={styles.heading}>{t('panel.work')}</p>
      <Link
        to={PANEL_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <Item
          icon={IconWallet}
          label={t('panel.withdrawals')}
          count={pending === undefined ? undefined : formatPoints(pending)}
        />
      </Link>
      <Link
        to={TICKETS_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ includeSearch: false }}
      >
        <Item icon={IconMessageCircle} label={t('panel.tickets')} />
      </Link>
      <Link to={BOOKS_PATH} {...(onPick === undefined ? {} : { onClick: onPick })}>
        <Item icon={IconBook2} label={t('panel.books')} />
      </Link>
      <span className={styles.space} />
      <a href="/">
        <Item icon={IconHome} label={t('panel.memberSite')} />
      </a>
      <button type="button" onClick={() => setColorScheme(schemeAfter[colorScheme])}>
        <Item
          icon={schemeIcons[colorScheme]}
          label={`${t('common.scheme')}: ${t(`common.schemes.${colorScheme}`)}`}
        />
      </button>
      <button type="button" lang={other} onClick={() => choose(other)}>
        <Item icon={IconLanguage} label={languageNames[other]} />
      </button>
      <button type="button" onClick={() => void logout()}>
        <Item icon={IconLogout} label={t('panel.logout')} />
      </button>
    </nav>
  );
}

/** An item of the rail. In a narrow rail the label is a tooltip, and still available to a screen reader. */
function Item({ icon: Sign, label, count }: { icon: Icon; label: string; count?: string | undefined }) {
  const isNarrow = useMediaQuery(`${from('tablet')} and ${below('wide')}`) ?? false;
  return (
    <Tooltip
      label={label}
      position="right"
      disabled={!isNarrow}
      events={{ hover: true, focus: true, touch: false }}
    >
      <span className={styles.item}>
        <Sign size={18} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>{label}</span>
        {count !== undefined && <span className={`num ${styles.count}`}>{count}</span>}
      </span>
    </Tooltip>
  );
}
