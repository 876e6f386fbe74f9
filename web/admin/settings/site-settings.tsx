import { Button, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readSite } from '#contract/site.ts';
import { UnsavedGuard } from '#web/admin/kit/unsaved-guard.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { BonusCard } from './bonus-card.tsx';
import brandStyles from './brand-card.module.css';
import { BrandCard } from './brand-card.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { NumberField } from './fields.tsx';
import styles from './settings.module.css';
import { SiteChanges } from './site-changes.tsx';
import { boundNames, capNames } from './site-draft.ts';
import { SiteProposals } from './site-proposals.tsx';
import { type Form, useSiteForm } from './use-site-form.ts';

/** What another operator asks for shows by itself. */
const POLL_MS = 10_000;

/** The settings of the site: brand, bonus, processing time, caps, bounds of rates, time to take back, switches. */
export function SiteSettings({ tabs }: { tabs: ReactNode }) {
  const { t } = useTranslation();
  const site = useRead(readSite, undefined, { refetchInterval: POLL_MS });
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <h1>{t('siteSettings.title')}</h1>
      {tabs}
      {site.data !== undefined && (
        <div className={styles.cards}>
          <SiteProposals site={site.data} />
          <SiteForm site={site.data} />
        </div>
      )}
      {site.data === undefined && site.isError && (
        <ErrorState
          title={t('siteSettings.failed')}
          text={t(`refusals.${site.error.code}`)}
          requestId={requestIdOf(site.error)}
          onRetry={() => void site.refetch()}
        />
      )}
      {site.isPending && <SkeletonRows count={5} />}
    </main>
  );
}

function SiteForm({ site }: { site: ReplyOf<typeof readSite> }) {
  const form = useSiteForm(site);
  return (
    <form ref={form.ref} className={styles.siteForm} onSubmit={form.submit} noValidate>
      <div className={styles.siteCards}>
        <BrandCard form={form} />
        <BonusCard form={form} />
        <ProcessingTime form={form} />
        <Payments form={form} />
        <Money form={form} />
        <Safety form={form} />
      </div>
      <Foot form={form} site={site} />
      <UnsavedGuard isChanged={form.isChanged} />
    </form>
  );
}

/** The preview, what saving changes, and saving. */
function Foot({ form, site }: { form: Form; site: ReplyOf<typeof readSite> }) {
  const { t } = useTranslation();
  const { changes } = form;
  return (
    <aside className={brandStyles.aside} aria-label={t('siteSettings.brand.preview')}>
      <h2>{t('siteSettings.brand.preview')}</h2>
      <BrandPreview draft={form.draft} />
      {changes.length > 0 && (
        <section aria-label={t('siteSettings.changes.title')}>
          <h3>{t('siteSettings.changes.title')}</h3>
          <SiteChanges changes={changes} />
          <p className={styles.help}>{t('siteSettings.changes.kept')}</p>
        </section>
      )}
      {form.failure !== null && (
        <p className={styles.wrong} role="alert">
          {form.failure}
        </p>
      )}
      {!form.isReadable && <p className={styles.wrong}>{t('siteSettings.brand.closed')}</p>}
      {site.caps.secondPersonFrom !== null && <p className={styles.help}>{t('siteSettings.loosenHelp')}</p>}
      <div className={styles.actions}>
        <Button variant="default" disabled={!form.isChanged || form.isSaving} onClick={form.discard}>
          {t('siteSettings.discard')}
        </Button>
        <Button type="submit" loading={form.isSaving} disabled={!form.canSave}>
          {changes.length === 0
            ? t('siteSettings.nothingToSave')
            : t('siteSettings.save', { count: changes.length })}
        </Button>
      </div>
    </aside>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ProcessingTime({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <Card title={t('siteSettings.fields.processingTime')}>
      <TextInput
        label={<FieldLabel text={t('siteSettings.statedEverywhere')} />}
        value={draft.processingTime}
        maxLength={100}
        autoComplete="off"
        error={fieldError(messageOf('processingTime'))}
        onChange={(event) => change({ processingTime: event.currentTarget.value })}
      />
      <p className={styles.help}>{t('siteSettings.processingHelp')}</p>
    </Card>
  );
}

function Payments({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <Card title={t('siteSettings.payouts')}>
      <NumberField
        label={t('siteSettings.fields.payoutDelaySeconds')}
        value={draft.payoutDelaySeconds}
        error={messageOf('payoutDelaySeconds')}
        onChange={(payoutDelaySeconds) => change({ payoutDelaySeconds })}
      />
      <p className={styles.help}>{t('siteSettings.payoutsHelp')}</p>
    </Card>
  );
}

function Money({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
      <Card title={t('siteSettings.caps')}>
        <div className={styles.fields}>
          {capNames.map((name) => (
            <NumberField
              key={name}
              label={t(`siteSettings.fields.${name}`)}
              value={draft[name]}
              error={messageOf(`caps.${name}`)}
              onChange={(next) => change({ [name]: next })}
            />
          ))}
        </div>
        <p className={styles.help}>{t('siteSettings.capsHelp')}</p>
      </Card>
      <Card title={t('siteSettings.rates')}>
        <div className={styles.fields}>
          {boundNames.map((name) => (
            <NumberField
              key={name}
              label={t(`siteSettings.fields.${name}`)}
              value={draft[name]}
              error={messageOf(`rateBounds.${name}`)}
              onChange={(next) => change({ [name]: next })}
            />
          ))}
        </div>
        <p className={styles.help}>{t('siteSettings.ratesHelp')}</p>
      </Card>
    </>
  );
}

function Safety({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <Card title={t('siteSettings.safety')}>
      <Switch
        checked={draft.addressHold}
        label={t('siteSettings.fields.addressHold')}
        onChange={(event) => change({ addressHold: event.currentTarget.checked })}
      />
      <div className={styles.fields}>
        <NumberField
          label={t('siteSettings.fields.providerCeilingTimes')}
          value={draft.providerCeilingTimes}
          error={messageOf('providerCeilingTimes')}
          onChange={(providerCeilingTimes) => change({ providerCeilingTimes })}
        />
        <NumberField
          label={t('siteSettings.fields.postbackDays')}
          value={draft.postbackDays}
          error={messageOf('postbackDays')}
          onChange={(postbackDays) => change({ postbackDays })}
        />
      </div>
      <p className={styles.help}>{t('siteSettings.safetyHelp')}</p>
    </Card>
  );
}
