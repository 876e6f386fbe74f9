import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  categoriesOf,
  ENTRY_DESCRIPTION_MAX,
  ENTRY_TITLE_MAX,
  entryKinds,
} from '#contract/earning-catalogue-entries.ts';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './catalogue.module.css';
import { rewardOf } from './entry-preview.tsx';
import { PictureField } from './picture-field.tsx';
import { StepFields } from './step-fields.tsx';
import type { EntryForm } from './use-entry-form.ts';

/** The fields of an entry: what members read, where it leads, what it pays, and when it is shown. */
export function EntryFields({ form }: { form: EntryForm }) {
  return (
    <>
      <TextFields form={form} />
      <PlaceFields form={form} />
      <PayFields form={form} />
      <PictureField form={form} />
      <ShownFields form={form} />
    </>
  );
}

const URL_MAX = 1_000;
const NUMBER_MAX = 20;

type TextName = 'title' | 'titleKo' | 'url' | 'minutes';

/** A field of one line. */
function LineField({ form, name, lengthMax, help }: LineFieldProps) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  return (
    <TextInput
      className={name === 'minutes' ? '' : (styles.whole ?? '')}
      label={<FieldLabel text={t(`catalogueEntries.fields.${name}`)} help={help} />}
      value={draft[name]}
      maxLength={lengthMax}
      autoComplete="off"
      inputMode={name === 'minutes' ? 'numeric' : name === 'url' ? 'url' : 'text'}
      error={fieldError(messageOf(name))}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
}
type LineFieldProps = { form: EntryForm; name: TextName; lengthMax: number; help?: string };

function TextFields({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  return (
    <fieldset className={styles.fields}>
      <legend>{t('catalogueEntries.groups.texts')}</legend>
      <LineField form={form} name="title" lengthMax={ENTRY_TITLE_MAX} />
      <LineField
        form={form}
        name="titleKo"
        lengthMax={ENTRY_TITLE_MAX}
        help={t('catalogueEntries.koreanHelp')}
      />
      {(['description', 'descriptionKo'] as const).map((name) => (
        <Textarea
          key={name}
          className={styles.whole ?? ''}
          label={
            <FieldLabel
              text={t(`catalogueEntries.fields.${name}`)}
              help={name === 'descriptionKo' ? t('catalogueEntries.koreanHelp') : undefined}
            />
          }
          value={draft[name]}
          maxLength={ENTRY_DESCRIPTION_MAX}
          autosize
          minRows={2}
          maxRows={6}
          error={fieldError(messageOf(name))}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}

function PlaceFields({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const { data: site } = useSiteConfig();
  const { draft, change, messageOf } = form;
  return (
    <fieldset className={styles.fields}>
      <legend>{t('catalogueEntries.groups.place')}</legend>
      <NativeSelect
        label={<FieldLabel text={t('catalogueEntries.fields.kind')} />}
        value={draft.kind}
        data={entryKinds.map((value) => ({ value, label: t(`catalogueEntries.choices.kind.${value}`) }))}
        error={fieldError(messageOf('kind'))}
        onChange={({ currentTarget: { value } }) => {
          const kind = entryKinds.find((one) => one === value) ?? draft.kind;
          change({ kind, category: categoriesOf[kind][0] });
        }}
      />
      <NativeSelect
        label={<FieldLabel text={t('catalogueEntries.fields.category')} />}
        value={draft.category}
        data={categoriesOf[draft.kind].map((value) => ({ value, label: t(`listing.categories.${value}`) }))}
        error={fieldError(messageOf('category'))}
        onChange={(event) => change({ category: event.currentTarget.value })}
      />
      <NativeSelect
        className={styles.whole ?? ''}
        label={
          <FieldLabel
            text={t('catalogueEntries.fields.provider')}
            help={t('catalogueEntries.providerHelp')}
          />
        }
        value={draft.provider}
        data={(site?.providers ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        error={fieldError(messageOf('provider'))}
        onChange={(event) => change({ provider: event.currentTarget.value })}
      />
      <LineField form={form} name="url" lengthMax={URL_MAX} help={t('catalogueEntries.urlHelp')} />
    </fieldset>
  );
}

function PayFields({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const hasSteps = draft.steps.length > 0;
  const points = rewardOf(draft);
  return (
    <fieldset className={styles.fields}>
      <legend>{t('catalogueEntries.groups.pay')}</legend>
      <TextInput
        label={<FieldLabel text={t('catalogueEntries.fields.reward')} help={formatDollars(points)} />}
        value={hasSteps ? formatAmount(points) : draft.reward}
        disabled={hasSteps}
        maxLength={NUMBER_MAX}
        autoComplete="off"
        inputMode="numeric"
        error={fieldError(messageOf('reward'))}
        onChange={(event) => change({ reward: event.currentTarget.value })}
      />
      <LineField form={form} name="minutes" lengthMax={NUMBER_MAX} help={t('catalogueEntries.minutesHelp')} />
      <p className={styles.help}>{t(hasSteps ? 'catalogueEntries.sumHelp' : 'catalogueEntries.payHelp')}</p>
      <StepFields form={form} />
    </fieldset>
  );
}

function ShownFields({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  return (
    <fieldset className={styles.fields}>
      <legend>{t('catalogueEntries.groups.shown')}</legend>
      <Switch
        className={styles.whole ?? ''}
        checked={draft.isEnabled}
        label={t('catalogueEntries.fields.isEnabled')}
        description={t('catalogueEntries.enabledHelp')}
        onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
      />
      <TextInput
        className={styles.whole ?? ''}
        type="datetime-local"
        label={
          <FieldLabel
            text={t('catalogueEntries.fields.expiresAt')}
            help={t('catalogueEntries.expiresHelp')}
          />
        }
        value={draft.expiresAt}
        error={fieldError(messageOf('expiresAt'))}
        onChange={(event) => change({ expiresAt: event.currentTarget.value })}
      />
    </fieldset>
  );
}
