import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEPT_DAYS } from '#contract/site.ts';
import { ActForm } from '#web/admin/kit/act-form.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';

type KeptDaysDialogProps = {
  isOpen: boolean;
  days: number;
  isPending: boolean;
  failure: string | null;
  onSubmit: (days: number) => void;
  onClose: () => void;
};

/** How long messages of the general channel are kept. Fewer days delete what is older. */
export function KeptDaysDialog(props: KeptDaysDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('chatModeration.settings.keptTitle')}
      width={420}
    >
      {props.isOpen && <KeptDaysForm {...props} />}
    </Dialog>
  );
}

function KeptDaysForm({ days, isPending, failure, onSubmit, onClose }: KeptDaysDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(days));
  const chosen = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const isValid = chosen >= KEPT_DAYS.min && chosen <= KEPT_DAYS.max;
  return (
    <ActForm
      submit={{
        label: t('chatModeration.settings.save'),
        tone: chosen < days ? 'danger' : 'plain',
        isDisabled: !isValid || chosen === days,
      }}
      isPending={isPending}
      fine={t('chatModeration.settings.keptFine')}
      failure={failure}
      onSubmit={() => isValid && onSubmit(chosen)}
      onClose={onClose}
    >
      <TextInput
        label={
          <FieldLabel
            text={t('chatModeration.settings.keptLabel')}
            help={t('chatModeration.settings.keptHelp', KEPT_DAYS)}
          />
        }
        inputMode="numeric"
        data-autofocus
        value={text}
        maxLength={4}
        error={fieldError(isValid ? null : t('chatModeration.settings.keptHelp', KEPT_DAYS))}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ActForm>
  );
}
