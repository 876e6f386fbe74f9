import { Button, Switch, TextInput } from '@mantine/core';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readSite } from '#contract/site.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { NumberField } from './fields.tsx';
import styles from './settings.module.css';
import { SiteProposals } from './site-proposals.tsx';
import { boundNames, capNames, type Form, useSiteForm } from './use-site-form.ts';

/** What another operator asks for shows by itself. */
const POLL_MS = 10_000;

/** The settings of the site: processing time, caps, bounds of rates, the time to take an approval back, switches. */
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
  const { t } = useTranslation();
  const form = useSiteForm(site);
  return (
    <form className={styles.siteForm} onSubmit={form.submit} noValidate>
      <Payments form={form} />
      <Money form={form} />
      <Safety form={form} />
      {form.failure !== null && (
        <p className={styles.wrong} role="alert">
          {form.failure}
        </p>
      )}
      {site.caps.secondPersonFrom !== null && <p className={styles.help}>{t('siteSettings.loosenHelp')}</p>}
      <div className={styles.actions}>
        <Button variant="default" disabled={!form.isChanged || form.isSaving} onClick={form.discard}>
          {t('siteSettings.discard')}
        </Button>
        <Button type="submit" loading={form.isSaving} disabled={!form.isChanged}>
          {t('siteSettings.save')}
        </Button>
      </div>
    </form>
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

function Payments({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <Card title={t('siteSettings.payouts')}>
      <div className={styles.fields}>
        <TextInput
          label={<FieldLabel text={t('siteSettings.fields.processingTime')} />}
          value={draft.processingTime}
          maxLength={100}
          error={fieldError(messageOf('processingTime'))}
          onChange={(event) => change({ processingTime: event.currentTarget.value })}
        />
        <NumberField
          label={t('siteSettings.fields.payoutDelaySeconds')}
          value={draft.payoutDelaySeconds}
          error={messageOf('payoutDelaySeconds')}
          onChange={(payoutDelaySeconds) => change({ payoutDelaySeconds })}
        />
      </div>
      <p className={styles.help}>{t('siteSettings.payoutsHelp')}</p>
    </Card>
  );
}

function Money({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
      <Card title={t('siteSettings.caps')}>
        <div className={clsx(styles.fields, styles.three)}>
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
