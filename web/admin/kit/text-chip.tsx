import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortenMiddle } from '#web/client/format.ts';
import { FilterForm, FormChip } from './filter-chip.tsx';

const TEXT_MAX = 254;

type TextChipProps = {
  label: string;
  value: string | undefined;
  onSet: (value: string | null) => void;
};

/** A filter by a text as it is stored, such as an id. */
export function TextChip({ label, value, onSet }: TextChipProps) {
  const { t } = useTranslation();
  return (
    <FormChip
      label={label}
      shown={<b>{value === undefined ? t('list.all') : shortenMiddle(value)}</b>}
      isActive={value !== undefined}
    >
      {(close) => (
        <TextForm
          label={label}
          value={value}
          onSet={(text) => {
            close();
            onSet(text);
          }}
        />
      )}
    </FormChip>
  );
}

function TextForm({ label, value, onSet }: TextChipProps) {
  const [typed, setTyped] = useState(value ?? '');
  const text = typed.trim();
  return (
    <FilterForm onApply={() => onSet(text === '' ? null : text)} onClear={() => onSet(null)}>
      <TextInput
        label={label}
        autoComplete="off"
        maxLength={TEXT_MAX}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FilterForm>
  );
}
