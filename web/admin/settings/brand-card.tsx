import { TextInput } from '@mantine/core';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { derivedDark, nearestPassing, ownMainColors } from '#contract/brand-colors.ts';
import { type Scheme, schemes } from '#contract/brand-styles.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './brand-card.module.css';
import { ColorPairs } from './color-pairs.tsx';
import { LogoField } from './logo-field.tsx';
import settings from './settings.module.css';
import { colorFields, colorIn, NAME_MAX, unreadableSchemes } from './site-draft.ts';
import type { Form } from './use-site-form.ts';

/** The brand: name, support address, logo, and the main colours with the check that people can read them. */
export function BrandCard({ form }: { form: Form }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const ownAddress = useSiteConfig().data?.brand.supportEmail ?? '';
  return (
    <section className={settings.card} aria-label={t('siteSettings.brand.title')}>
      <h2>{t('siteSettings.brand.title')}</h2>
      <div className={settings.fields}>
        <TextInput
          label={<FieldLabel text={t('siteSettings.fields.name')} />}
          value={draft.name}
          maxLength={NAME_MAX}
          autoComplete="off"
          error={fieldError(messageOf('brand.name'))}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          type="email"
          label={<FieldLabel text={t('siteSettings.fields.supportEmail')} />}
          value={draft.supportEmail}
          placeholder={ownAddress}
          maxLength={254}
          autoComplete="off"
          error={fieldError(messageOf('brand.supportEmail'))}
          onChange={(event) => change({ supportEmail: event.currentTarget.value })}
        />
      </div>
      <LogoField form={form} />
      <div className={clsx(settings.fields, styles.colors)}>
        {schemes.map((scheme) => (
          <ColorField key={scheme} scheme={scheme} form={form} />
        ))}
      </div>
      <ColorPairs draft={draft} />
      {unreadableSchemes(draft).map((scheme) => (
        <Unreadable key={scheme} scheme={scheme} form={form} />
      ))}
      <p className={settings.help}>{t('siteSettings.brand.help')}</p>
    </section>
  );
}

/** The colour that holds without a typed one. */
function usualColor(scheme: Scheme, lightColor: string): string {
  const light = colorIn(lightColor);
  return scheme === 'dark' && light !== null ? derivedDark(light) : ownMainColors[scheme];
}

function ColorField({ scheme, form: { draft, change, messageOf } }: { scheme: Scheme; form: Form }) {
  const { t } = useTranslation();
  const field = colorFields[scheme];
  const usual = usualColor(scheme, draft.lightColor);
  const set = (value: string) => change({ [field]: value });
  return (
    <div className={styles.color}>
      <input
        type="color"
        className={styles.swatch}
        aria-label={t(`siteSettings.brand.pick.${scheme}`)}
        value={(colorIn(draft[field]) ?? usual).toLowerCase()}
        onChange={(event) => set(event.currentTarget.value.toUpperCase())}
      />
      <TextInput
        className={settings.mono}
        label={
          <FieldLabel
            text={t(`siteSettings.fields.${field}`)}
            help={t(`siteSettings.brand.empty.${scheme}`)}
          />
        }
        value={draft[field]}
        placeholder={usual}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        error={fieldError(messageOf(`brand.${field}`))}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}

/** Says that a colour can't be read, and offers the nearest one that can. */
function Unreadable({ scheme, form: { draft, change } }: { scheme: Scheme; form: Form }) {
  const { t } = useTranslation();
  const field = colorFields[scheme];
  const color = colorIn(draft[field]);
  if (color === null) return null;
  const nearest = nearestPassing(scheme, color);
  return (
    <p className={styles.bad} role="status">
      {t(`siteSettings.brand.unreadable.${scheme}`)} <b className={styles.code}>{nearest}</b>{' '}
      <button type="button" className="link" onClick={() => change({ [field]: nearest })}>
        {t('siteSettings.brand.use')}
      </button>
    </p>
  );
}
