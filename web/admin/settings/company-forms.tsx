import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type NowpaymentsWallet, type PaypalWallet, walletEnvironments } from '#contract/wallets.ts';
import { UnsavedGuard } from '#web/admin/kit/unsaved-guard.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { MASKED } from './fields.tsx';
import { type Company, type CompanyFormState, useCompanyForm } from './use-company-form.ts';
import styles from './wallets.module.css';

/** The forms of the site's accounts at PayPal and at the crypto provider. */

type FieldName =
  | 'clientId'
  | 'clientSecret'
  | 'businessEmail'
  | 'webhookId'
  | 'apiKey'
  | 'ipnSecret'
  | 'supportedCurrencies'
  | 'email'
  | 'password'
  | 'totpSecret';
type Field = { name: FieldName; isSecret?: true; isOptional?: true };

const paypalFields: readonly Field[] = [
  { name: 'clientId' },
  { name: 'clientSecret', isSecret: true },
  { name: 'businessEmail' },
  { name: 'webhookId', isOptional: true },
];
const cryptoFields: readonly Field[] = [
  { name: 'apiKey', isSecret: true },
  { name: 'ipnSecret', isSecret: true },
  { name: 'supportedCurrencies' },
  { name: 'email', isOptional: true },
  { name: 'password', isSecret: true, isOptional: true },
  { name: 'totpSecret', isSecret: true, isOptional: true },
];

export function PaypalForm({ stored }: { stored: PaypalWallet }) {
  return <CompanyForm company="paypal" form={useCompanyForm('paypal', stored)} fields={paypalFields} />;
}

export function CryptoForm({ stored }: { stored: NowpaymentsWallet }) {
  return <CompanyForm company="crypto" form={useCompanyForm('crypto', stored)} fields={cryptoFields} />;
}

type CompanyFormProps = { company: Company; form: CompanyFormState; fields: readonly Field[] };

function CompanyForm({ company, form, fields }: CompanyFormProps) {
  const { t } = useTranslation();
  return (
    <form ref={form.ref} className={styles.card} onSubmit={form.submit} noValidate aria-label={form.name}>
      <h2>{form.name}</h2>
      <p className={styles.text}>{t(`walletAccounts.${company}.text`)}</p>
      <div className={styles.fields}>
        {fields.map((field) => (
          <TextField key={field.name} field={field} form={form} />
        ))}
        <Environment form={form} />
      </div>
      {company === 'crypto' && <p className={styles.note}>{t('walletAccounts.help.payouts')}</p>}
      <Switch
        className={styles.switch ?? ''}
        label={t('walletAccounts.show')}
        checked={form.isShown}
        onChange={(event) => form.setShown(event.currentTarget.checked)}
      />
      {form.hasStoredSecret && <p className={styles.note}>{t('connection.secretHelp', { mask: MASKED })}</p>}
      <ConnectionResult steps={form.steps} untested={t('walletAccounts.untested')} />
      {form.failure !== null && (
        <p className={styles.failure} role="alert">
          {form.failure}
        </p>
      )}
      <UnsavedGuard isChanged={form.isChanged} />
      <div className={styles.actions}>
        {form.isStale && (
          <Button variant="default" onClick={form.showStored}>
            {t('walletAccounts.showStored')}
          </Button>
        )}
        <Button variant="default" loading={form.isTesting} disabled={form.isSaving} onClick={form.test}>
          {t('walletAccounts.test')}
        </Button>
        <Button type="submit" loading={form.isSaving} disabled={!form.isChanged}>
          {t('walletAccounts.save', { name: form.name })}
        </Button>
      </div>
    </form>
  );
}

/** The message at an item of a list, which is one text here. */
const messageOfItem = ({ draft, messageOf }: CompanyFormState, name: FieldName): string | undefined =>
  (draft[name] ?? '')
    .split(',')
    .map((_, index) => messageOf(`${name}.${index}`))
    .find((message) => message !== undefined);

/** A text. A stored secret shows as the mask, which the first typed character replaces. */
function TextField({
  field: { name, isSecret, isOptional },
  form,
}: {
  field: Field;
  form: CompanyFormState;
}) {
  const { t } = useTranslation();
  const value = form.draft[name] ?? '';
  const isMasked = isSecret === true && value === MASKED;
  return (
    <TextInput
      type={isSecret && !isMasked && !form.isShown ? 'password' : 'text'}
      label={
        <FieldLabel
          text={t(`walletAccounts.fields.${name}`)}
          help={isOptional ? t('common.optional') : undefined}
        />
      }
      // Below the field, so that it stands beside its neighbour.
      {...(name === 'supportedCurrencies' && {
        description: t('walletAccounts.help.supportedCurrencies'),
        inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
      })}
      value={value}
      maxLength={4_000}
      autoComplete={isSecret ? 'new-password' : 'off'}
      spellCheck={false}
      error={fieldError(form.messageOf(name) ?? messageOfItem(form, name))}
      onFocus={(event) => isMasked && event.currentTarget.select()}
      onChange={({ currentTarget: { value: typed } }) =>
        form.set(name, isMasked && typed.startsWith(MASKED) ? typed.slice(MASKED.length) : typed)
      }
    />
  );
}

function Environment({ form }: { form: CompanyFormState }) {
  const { t } = useTranslation();
  return (
    <Select
      label={<FieldLabel text={t('walletAccounts.fields.environment')} />}
      data={walletEnvironments.map((value) => ({ value, label: t(`walletAccounts.environments.${value}`) }))}
      value={form.draft.environment ?? null}
      allowDeselect={false}
      error={fieldError(form.messageOf('environment'))}
      onChange={(value) => value !== null && form.set('environment', value)}
    />
  );
}
