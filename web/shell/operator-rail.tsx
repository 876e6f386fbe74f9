import { useMantineColorScheme } from '@mantine/core';
import {
  IconClock,
  IconDeviceDesktop,
  IconHome,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints, zoneOffset } from '#web/client/format.ts';
import { languageNames } from '#web/client/languages.ts';
import { useBrandName, useLogout, useSiteConfig } from '#web/client/session.ts';
import { Mark } from '#web/ui/mark.tsx';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import { HealthItem } from './health-item.tsx';
import { PANEL_PATH } from './navigation.ts';
import styles from './operator-frame.module.css';
import { OperatorItem } from './operator-item.tsx';
import { operatorPlaces, placeGroups } from './operator-places.ts';
import { useOperatorPlaces } from './use-operator-places.ts';

/** A count is shown up to here, and as `999+` beyond. */
const SHOWN_MAX = 999;

const shownCount = (count: number) =>
  count > SHOWN_MAX ? `${formatPoints(SHOWN_MAX)}+` : formatPoints(count);

export function OperatorName() {
  const { t } = useTranslation();
  const name = useBrandName();
  const logoUrl = useSiteConfig().data?.brand.logoUrl ?? null;
  return (
    <Link to={PANEL_PATH} className={styles.name} activeOptions={{ exact: true, includeSearch: false }}>
      {logoUrl === null ? <Mark size={28} /> : <img src={logoUrl} alt="" width={28} height={28} />}
      <span>
        {name} <small>{t('panel.area')}</small>
      </span>
    </Link>
  );
}

const schemeAfter = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

type OperatorRailProps = {
  onFind: () => void;
  /** Called when a place is chosen. */
  onPick?: () => void;
};

/** The links of the operators' rail, also in the menu on a phone. */
export function OperatorRail({ onFind, onPick }: OperatorRailProps) {
  const { t } = useTranslation();
  const logout = useLogout();
  const { other, choose } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const links = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // In a low window the rail scrolls, and the place of the address may be beyond its edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is marked.
  useEffect(() => {
    links.current?.querySelector('[role="group"] [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <nav ref={links} className={styles.links} aria-label={t('panel.menu')}>
      <OperatorName />
      <button type="button" className={styles.find} onClick={onFind} aria-keyshortcuts="Control+K">
        <OperatorItem icon={IconSearch} label={t('panel.find')} shortcut="Ctrl K" />
      </button>
      <Places onPick={onPick} />
      <HealthItem />
      <span className={styles.space} />
      <ZoneOfTimes />
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

/** Says in which zone all times of the operators' screens are. */
function ZoneOfTimes() {
  const { t, i18n } = useTranslation();
  const zone = useSiteConfig().data?.siteTimezone;
  return (
    <p className={styles.zone}>
      {zone !== undefined && (
        <OperatorItem
          icon={IconClock}
          label={t('panel.zone', { zone })}
          short={zoneOffset(zone, i18n.language)}
        />
      )}
    </p>
  );
}

/** The places by group, each with the count of what waits there. */
function Places({ onPick }: { onPick: (() => void) | undefined }) {
  const { t } = useTranslation();
  const id = useId();
  const places = useOperatorPlaces();
  const linksOf = (group: string) =>
    places
      .filter((place) => place.group === group)
      .map(({ name, path, icon, label, count }) => (
        <Link
          key={name}
          to={path}
          {...(onPick === undefined ? {} : { onClick: onPick })}
          activeOptions={{ exact: hasPlaceBelow(path), includeSearch: false }}
        >
          <OperatorItem icon={icon} label={label} count={count === 0 ? undefined : shownCount(count)} />
        </Link>
      ));
  return (
    <>
      {linksOf('first')}
      {placeGroups.map((group) => {
        const links = linksOf(group);
        if (links.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
          <div key={group} role="group" aria-labelledby={id + group} className={styles.group}>
            <p id={id + group} className={styles.heading}>
              {t(`panel.groups.${group}`)}
            </p>
            {links}
          </div>
        );
      })}
    </>
  );
}

/** Whether another place of the rail lies below this one, so that only its own URL marks it. */
const hasPlaceBelow = (path: string): boolean =>
  operatorPlaces.some((place) => place.path.startsWith(`${path}/`));
