import { Button, NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { Provider } from '#contract/earning-providers.ts';
import { SheetFacts } from '#web/admin/kit/sheet-parts.tsx';
import { formatTime } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { Coverage } from './coverage.tsx';
import { CodeField, MASKED, NumberField, SecretField } from './fields.tsx';
import styles from './settings.module.css';
import { SettingsFoot } from './settings-foot.tsx';
import { settingPath } from './use-outcome.ts';
import { type Form, useProviderForm } from './use-provider-form.ts';

/** The settings of one provider, the address that it calls, and what is believed of a call. */
export function ProviderForm({ row }: { row: Provider }) {
  const { t } = useTranslation();
  const form = useProviderForm(row);
  const { draft, change } = form;
  return (
    <form ref={form.ref} className={styles.form} onSubmit={form.submit} noValidate>
      <SheetFacts>
        <div className={styles.head}>
          <div>
            <p className={styles.name}>{row.name}</p>
            <p className={styles.help}>
              {t(draft.isEnabled ? 'providerSettings.isOn' : 'providerSettings.isOff')}
            </p>
          </div>
          <Switch
            checked={draft.isEnabled}
            aria-label={t('providerSettings.enable', { name: row.name })}
            onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
          />
        </div>
        <AccountFields form={form} />
        <PostbackUrl provider={row} />
        <Coverage provider={row} />
        <SourceFields form={form} />
        <ConnectionResult steps={form.steps} untested={t('providerSettings.untested')} />
      </SheetFacts>
      <SettingsFoot form={form} />
    </form>
  );
}

function AccountFields({ form: { base, draft, change, messageOf } }: { form: Form }) {
  const { t, i18n } = useTranslation();
  const { about, formerSecretUntil } = base;
  return (
    <>
      <h3>{t('providerSettings.account.title')}</h3>
      <div className={styles.fields}>
        <TextInput
          label={<FieldLabel text={t('providerSettings.fields.name')} />}
          value={draft.name}
          maxLength={100}
          autoComplete="off"
          error={fieldError(messageOf('name'))}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label={<FieldLabel text={t('providerSettings.fields.type')} />}
          value={draft.type}
          data={(['survey', 'offerwall'] as const).map((value) => ({
            value,
            label: t(`providerSettings.choices.type.${value}`),
          }))}
          onChange={(event) => change({ type: event.currentTarget.value as Provider['type'] })}
        />
        <CodeField
          className={styles.whole}
          label={t('providerSettings.fields.url')}
          value={draft.url}
          error={messageOf('url')}
          onChange={(url) => change({ url })}
        />
        <CodeField
          label={t('providerSettings.fields.apiKey')}
          help={about?.apiKeyLabel ?? ''}
          value={draft.apiKey}
          error={messageOf('apiKey')}
          onChange={(apiKey) => change({ apiKey })}
        />
        <SecretField
          label={t('providerSettings.fields.secret')}
          help={about?.secretLabel ?? ''}
          value={draft.secret}
          error={messageOf('secret')}
          onChange={(secret) => change({ secret })}
        />
        <NumberField
          className={styles.whole}
          label={t('providerSettings.fields.formerSecretHours')}
          help={t('providerSettings.formerHelp')}
          value={draft.formerSecretHours}
          error={messageOf(settingPath('formerSecretHours'))}
          onChange={(formerSecretHours) => change({ formerSecretHours })}
        />
      </div>
      <p className={styles.help}>
        {t('connection.secretHelp', { mask: MASKED })}{' '}
        {formerSecretUntil !== null &&
          t('providerSettings.formerUntil', { time: formatTime(formerSecretUntil, i18n.language) })}
      </p>
    </>
  );
}

/** The address that the provider calls, to be copied to its dashboard. */
function PostbackUrl({ provider: { name, postbackUrl } }: { provider: Provider }) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t('providerSettings.postbackUrl')}</h3>
      <div className={styles.address}>
        <code>{postbackUrl}</code>
        <CopyButton text={postbackUrl} label={t('providerSettings.copyPostbackUrl')} size={44} />
      </div>
      <p className={styles.help}>{t('providerSettings.postbackHelp', { name })}</p>
    </>
  );
}

const policies = ['record', 'hold', 'refuse'] as const;

function SourceFields({ form: { base, draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  const published = base.about?.publishedAddresses ?? [];
  return (
    <>
      <h3>{t('providerSettings.sources.title')}</h3>
      <Textarea
        className={clsx(styles.mono)}
        label={
          <FieldLabel
            text={t('providerSettings.sources.addresses')}
            help={t('providerSettings.sources.help')}
          />
        }
        value={draft.sourceAddresses}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        error={fieldError(messageOf(settingPath('sourceAddresses')))}
        onChange={(event) => change({ sourceAddresses: event.currentTarget.value })}
      />
      {published.length > 0 && (
        <Button variant="subtle" size="xs" onClick={() => change({ sourceAddresses: published.join('\n') })}>
          {t('providerSettings.sources.usePublished', { count: published.length })}
        </Button>
      )}
      <h3 id="source-policy">{t('providerSettings.sources.elsewhere')}</h3>
      <SegmentedControl
        fullWidth
        aria-labelledby="source-policy"
        value={draft.sourcePolicy}
        data={policies.map((value) => ({ value, label: t(`providerSettings.policy.${value}`) }))}
        onChange={(value) => change({ sourcePolicy: value as (typeof policies)[number] })}
      />
      <p className={styles.help}>{t(`providerSettings.policyText.${draft.sourcePolicy}`)}</p>
      <CodeField
        className={styles.below}
        label={t('providerSettings.fields.pathToken')}
        help={t('providerSettings.pathTokenHelp')}
        value={draft.pathToken}
        error={messageOf(settingPath('pathToken'))}
        onChange={(pathToken) => change({ pathToken })}
      />
    </>
  );
}
