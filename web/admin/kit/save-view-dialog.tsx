import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VIEW_NAME_LENGTH_MAX } from '#contract/members-views.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './bulk-dialog.module.css';
import { FailureLine } from './failure-line.tsx';
import { useCharacterFault, useFaults } from './use-faults.ts';

type SaveViewDialogProps = {
  isOpen: boolean;
  /** The names of this screen's views. One of them gets the new filters. */
  names: readonly string[];
  isPending: boolean;
  failure: string | null;
  onSubmit: (name: string) => void;
  onClose: () => void;
};

/** Asks for the name of a view. */
export function SaveViewDialog({ isOpen, ...rest }: SaveViewDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title={t('list.views.dialog.title')} width={460}>
      <p className={styles.fact}>{t('list.views.dialog.text')}</p>
      {isOpen && <NameForm {...rest} />}
    </Dialog>
  );
}

function NameForm({ names, isPending, failure, onSubmit, onClose }: Omit<SaveViewDialogProps, 'isOpen'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { ref, faults, show, clear } = useFaults<'name'>();
  const characterFault = useCharacterFault();
  const name = typed.trim();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const fault = name === '' ? t('list.views.dialog.required') : characterFault(name);
    if (fault !== undefined) show({ name: fault });
    else onSubmit(name);
  };
  return (
    <form ref={ref} onSubmit={submit} noValidate>
      <TextInput
        className={styles.reason ?? ''}
        data-autofocus
        label={
          <FieldLabel
            text={t('list.views.dialog.name')}
            help={t(names.includes(name) ? 'list.views.dialog.replaces' : 'list.views.dialog.help')}
          />
        }
        value={typed}
        maxLength={VIEW_NAME_LENGTH_MAX}
        error={fieldError(faults.name)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          clear();
        }}
      />
      <FailureLine text={failure} className={styles.failure} />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={isPending}>
          {t('list.views.dialog.submit')}
        </Button>
      </div>
    </form>
  );
}
