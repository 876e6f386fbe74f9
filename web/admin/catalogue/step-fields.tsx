import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ENTRY_STEPS_MAX, ENTRY_TITLE_MAX } from '#contract/earning-catalogue-entries.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './catalogue.module.css';
import type { EntryForm, StepDraft } from './use-entry-form.ts';

const NUMBER_MAX = 20;

/** The steps of an entry, each paid on its own. Their sum is the reward. */
export function StepFields({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const { steps } = draft;
  const add = () => change({ steps: [...steps, { title: '', titleKo: '', points: '', days: '' }] });
  return (
    <div className={styles.whole}>
      <ol className={styles.steps}>
        {steps.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
          <StepField key={index} form={form} index={index} />
        ))}
      </ol>
      {messageOf('steps') !== undefined && (
        <p className={styles.wrong} role="alert">
          {messageOf('steps')}
        </p>
      )}
      <Button variant="default" size="sm" disabled={steps.length >= ENTRY_STEPS_MAX} onClick={add}>
        {t('catalogueEntries.steps.add')}
      </Button>
    </div>
  );
}

const fields = [
  { name: 'title', lengthMax: ENTRY_TITLE_MAX },
  { name: 'titleKo', lengthMax: ENTRY_TITLE_MAX },
  { name: 'points', lengthMax: NUMBER_MAX },
  { name: 'days', lengthMax: NUMBER_MAX },
] as const;

function StepField({ form, index }: { form: EntryForm; index: number }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const { steps } = draft;
  const step = steps[index];
  if (step === undefined) return null;
  const number = index + 1;
  const set = (part: Partial<StepDraft>) =>
    change({ steps: steps.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const swap = (other: number) => {
    const [here, there] = [steps[index], steps[other]];
    if (here === undefined || there === undefined) return;
    change({ steps: steps.map((one, at) => (at === index ? there : at === other ? here : one)) });
  };
  return (
    <li>
      <div className={styles.stepHead}>
        <p>{t('catalogueEntries.steps.title', { number })}</p>
        <ActionIcon
          aria-label={t('catalogueEntries.steps.up', { number })}
          disabled={index === 0}
          onClick={() => swap(index - 1)}
        >
          <IconArrowUp size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('catalogueEntries.steps.down', { number })}
          disabled={number === steps.length}
          onClick={() => swap(index + 1)}
        >
          <IconArrowDown size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('catalogueEntries.steps.remove', { number })}
          onClick={() => change({ steps: steps.filter((_, at) => at !== index) })}
        >
          <IconTrash size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={styles.stepFields}>
        {fields.map(({ name, lengthMax }) => (
          <TextInput
            key={name}
            label={<FieldLabel text={t(`catalogueEntries.steps.fields.${name}`)} />}
            value={step[name]}
            maxLength={lengthMax}
            autoComplete="off"
            inputMode={name === 'points' || name === 'days' ? 'numeric' : 'text'}
            error={fieldError(messageOf(['steps', index, name].join('.')))}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </li>
  );
}
