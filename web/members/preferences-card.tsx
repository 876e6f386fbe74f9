import { NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currencies, type Settings } from '#contract/members.ts';
import { type DisplaySettings, useDisplaySettings } from '#web/client/display-settings.ts';
import { formatDay, formatRate } from '#web/client/format.ts';
import { isLanguage, languageNames, languages } from '#web/client/languages.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SchemeChoice } from '#web/ui/scheme-choice.tsx';
import styles from './settings-page.module.css';
import { zoneGroups } from './time-zones.ts';
import { usePreferences } from './use-preferences.ts';

/** Language, appearance and display settings. Each change is saved at once. */
export function PreferencesCard() {
  const { t } = useTranslation();
  const { display, retry } = useDisplaySettings();
  const { waiting, change } = usePreferences();
  return (
    <section className={`card ${styles.card}`}>
      <LanguageSetting chosen={waiting.language} onChange={(language) => change({ language })} />
      <Setting id="scheme" title={t('common.scheme')} text={t('settings.schemeText')}>
        <SchemeChoice labelledBy="scheme" />
      </Setting>
      {display === null ? (
        <ErrorState
          title={t('settings.unread')}
          text={t('settings.unreadText')}
          requestId={null}
          onRetry={retry}
        />
      ) : (
        <Stored display={display} settings={{ ...display.settings, ...waiting }} onChange={change} />
      )}
    </section>
  );
}

type SettingProps = { id: string; title: string; text: ReactNode; children: ReactNode };

function Setting({ id, title, text, children }: SettingProps) {
  return (
    <div className={styles.setting}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="small dim" id={`${id}-text`}>
          {text}
        </p>
      </div>
      {children}
    </div>
  );
}

type LanguageProps = {
  chosen: Settings['language'] | undefined;
  onChange: (language: Settings['language']) => void;
};

function LanguageSetting({ chosen, onChange }: LanguageProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Setting id="language" title={t('settings.language')} text={t('settings.languageText')}>
      <SegmentedControl
        fullWidth
        aria-labelledby="language"
        value={chosen ?? language}
        onChange={(value) => isLanguage(value) && onChange(value)}
        data={languages.map((value) => ({
          value,
          label: <span lang={value}>{languageNames[value]}</span>,
        }))}
      />
    </Setting>
  );
}

type StoredProps = {
  display: DisplaySettings;
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
};

function Stored({ display, settings, onChange }: StoredProps) {
  const { t, i18n } = useTranslation();
  const zones = useMemo(() => zoneGroups(settings.timezone), [settings.timezone]);
  const there = new Intl.DateTimeFormat(i18n.language, {
    timeZone: settings.timezone,
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date());
  return (
    <>
      <Setting
        id="timezone"
        title={t('settings.timezone')}
        text={t('settings.timezoneText', { time: there })}
      >
        <NativeSelect
          aria-labelledby="timezone"
          aria-describedby="timezone-text"
          value={settings.timezone}
          data={zones}
          onChange={(event) => onChange({ timezone: event.currentTarget.value })}
        />
      </Setting>
      <Setting id="currency" title={t('settings.currency')} text={<CurrencyText display={display} />}>
        <SegmentedControl
          fullWidth
          aria-labelledby="currency"
          value={settings.currency}
          onChange={(value) => onChange({ currency: currencies.find((one) => one === value) ?? 'USD' })}
          data={currencies.map((value) => ({
            value,
            label: <span title={t(`settings.currencies.${value}`)}>{value}</span>,
          }))}
        />
      </Setting>
      <Setting id="notifications" title={t('settings.notifications')} text={<NotificationsText />}>
        <Switch
          size="lg"
          className={styles.switch ?? ''}
          aria-labelledby="notifications"
          aria-describedby="notifications-text"
          checked={settings.emailNotifications}
          onChange={(event) => onChange({ emailNotifications: event.currentTarget.checked })}
        />
      </Setting>
    </>
  );
}

/** What the switch is for, with the way to the choice of the notices that are mailed. */
function NotificationsText() {
  const { t } = useTranslation();
  return (
    <>
      {t('settings.notificationsText')}{' '}
      <Link to="/notices" hash="mail" className="link">
        {t('settings.notificationsChoose')}
      </Link>
    </>
  );
}

/** Explains the currency and its rate, because converted amounts are approximate. */
function CurrencyText({ display: { settings, rate } }: { display: DisplaySettings }) {
  const { t, i18n } = useTranslation();
  const about = () => {
    if (settings.currency === 'USD') return null;
    if (rate === undefined) return t('settings.currencyNoRate');
    return t('settings.currencyRate', { rate: formatRate(rate), day: formatDay(rate.asOf, i18n.language) });
  };
  const more = about();
  return (
    <>
      {t('settings.currencyText')}
      {more !== null && <span className={styles.rate}> {more}</span>}
    </>
  );
}
