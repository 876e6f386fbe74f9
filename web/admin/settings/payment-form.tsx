import { Switch } from '@mantine/core';
import clsx from 'clsx';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { PaymentMethod } from '#contract/withdrawals-methods.ts';
import { SheetFacts } from '#web/admin/kit/sheet-parts.tsx';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { CodeField, MASKED, NumberField, SecretField } from './fields.tsx';
import styles from './settings.module.css';
import { SettingsFoot } from './settings-foot.tsx';
import { settingPath } from './use-outcome.ts';
import { type Form, limitNames, usePaymentForm } from './use-payment-form.ts';

/** The settings of one payment method: on or off, the account that pays, its test, limits and fee. */
export function PaymentForm({ row }: { row: PaymentMethod }) {
  const { t } = useTranslation();
  const form = usePaymentForm(row);
  const { draft, change, steps, hasAccount, toType } = form;
  return (
    <form ref={form.ref} className={styles.form} onSubmit={form.submit} noValidate>
      <SheetFacts>
        <div className={styles.head}>
          <span className={styles.plate}>
            <RailIcon method={row.method} />
          </span>
          <div>
            <p className={styles.name}>{row.name}</p>
            <p className={styles.help}>
              {t(draft.isEnabled ? 'paymentSettings.isOn' : 'paymentSettings.isOff')}
            </p>
          </div>
          <Switch
            checked={draft.isEnabled}
            aria-label={t('paymentSettings.enable', { name: row.name })}
            onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
          />
        </div>
        {hasAccount && <AccountFields form={form} />}
        <LimitFields form={form} />
        {hasAccount ? (
          <ConnectionResult steps={steps} untested={t('paymentSettings.untested')} />
        ) : (
          <p className={styles.help}>{t('paymentSettings.noAccount')}</p>
        )}
      </SheetFacts>
      <SettingsFoot form={form} canTest={hasAccount} isComplete={toType.length === 0} />
    </form>
  );
}

/** The credentials in the order of the server. One that a rail of its own has is named as the server names it. */
function AccountFields({ form: { base, draft, toType, setCredential, messageOf } }: { form: Form }) {
  const { t, i18n } = useTranslation();
  const labelOf = (name: string) => {
    const key = `paymentSettings.credentials.${name}`;
    return i18n.exists(key) ? String(t(key as ParseKeys)) : name;
  };
  return (
    <>
      <h3>{t('paymentSettings.node')}</h3>
      <div className={styles.fields}>
        {Object.entries(draft.credentials).map(([name, value]) => {
          const Field = base.secretNames.includes(name) ? SecretField : CodeField;
          return (
            <Field
              key={name}
              label={labelOf(name)}
              {...(name === 'rpcHost' ? { help: t('paymentSettings.allowedHosts') } : {})}
              value={value}
              error={messageOf(`credentials.${name}`)}
              onChange={(next) => setCredential(name, next)}
            />
          );
        })}
      </div>
      {toType.length > 0 ? (
        <p className={clsx(styles.help, styles.wrong, styles.below)} role="status">
          {t('paymentSettings.typeSecrets', { names: toType.map(labelOf).join(', ') })}
        </p>
      ) : (
        <p className={styles.help}>{t('connection.secretHelp', { mask: MASKED })}</p>
      )}
    </>
  );
}

function LimitFields({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t('paymentSettings.forMembers')}</h3>
      <div className={styles.fields}>
        {limitNames.map((name) => (
          <NumberField
            key={name}
            label={t(`paymentSettings.limit.${name}`)}
            value={draft[name]}
            error={messageOf(settingPath(name))}
            onChange={(next) => change({ [name]: next })}
          />
        ))}
      </div>
      <p className={styles.help}>{t('paymentSettings.limitsHelp')}</p>
    </>
  );
}
