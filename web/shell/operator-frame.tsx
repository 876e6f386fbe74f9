import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook2,
  IconDeviceDesktop,
  IconGift,
  IconHome,
  IconLanguage,
  IconListCheck,
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
import { readApprovalStats } from '#contract/earning.ts';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { formatPoints } from '#web/client/format.ts';
import { languageNames } from '#web/client/languages.ts';
import { useBrandName, useLogout } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Mark } from '#web/ui/mark.tsx';
import { SideMenu } from '#web/ui/side-menu.tsx';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import { HealthItem } from './health-item.tsx';
import { APPROVALS_PATH, BOOKS_PATH, GRANTS_PATH, PANEL_PATH, TICKETS_PATH } from './navigation.ts';
import styles from './operator-frame.module.css';
import { OperatorItem } from './operator-item.tsx';

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
  const held = useRead(readApprovalStats).data?.pendingCount;
  return (
    <nav className={styles.links} aria-label={t('panel.menu')}>
      <Name />
      <p className={styles.heading}>{t('panel.work')}</p>
      <Link
        to={PANEL_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <OperatorItem
          icon={IconWallet}
          label={t('panel.withdrawals')}
          count={pending === undefined ? undefined : formatPoints(pending)}
        />
      </Link>
      <Link
        to={APPROVALS_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ includeSearch: false }}
      >
        <OperatorItem
          icon={IconListCheck}
          label={t('panel.approvals')}
          count={held ? formatPoints(held) : undefined}
        />
      </Link>
      <Link
        to={TICKETS_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ includeSearch: false }}
      >
        <OperatorItem icon={IconMessageCircle} label={t('panel.tickets')} />
      </Link>
      <Link
        to={GRANTS_PATH}
        {...(onPick === undefined ? {} : { onClick: onPick })}
        activeOptions={{ includeSearch: false }}
      >
        <OperatorItem icon={IconGift} label={t('panel.grants')} />
      </Link>
      <Link to={BOOKS_PATH} {...(onPick === undefined ? {} : { onClick: onPick })}>
        <OperatorItem icon={IconBook2} label={t('panel.books')} />
      </Link>
      <HealthItem />
      <span className={styles.space} />
      <a href="/">
        <OperatorItem icon={IconHome} label={t('panel.memberSite')} />
      </a>
      <button type="button" onClick={() => setColorScheme(schemeAfter[colorScheme])}>
        <OperatorItem
          icon={schemeIcons[colorScheme]}
          label={`${t('common.scheme')}: ${t(`common.schemes.${colorScheme}`)}`}
        />
      </button>
      <button type="button" lang={other} onClick={() => choose(other)}>
        <OperatorItem icon={IconLanguage} label={languageNames[other]} />
      </button>
      <button type="button" onClick={() => void logout()}>
        <OperatorItem icon={IconLogout} label={t('panel.logout')} />
      </button>
    </nav>
  );
}
