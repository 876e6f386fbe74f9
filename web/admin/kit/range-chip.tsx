import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount } from '#web/client/format.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { FilterForm, FormChip } from './filter-chip.tsx';
import { showField } from './show-field.ts';

type End = number | string;
type RangeChipProps = {
  kind: 'points' | 'days';
  label: string;
  from: string | undefined;
  to: string | undefined;
  onSet: (from: End | null, to: End | null) => void;
};

/** Whole points; null for an empty field, undefined for invalid text. */
function readPoints(text: string): number | null | undefined {
  const digits = text.replaceAll(',', '').trim();
  if (digits === '') return null;
  return /^(0|[1-9]\d{0,14})$/.test(digits) ? Number(digits) : undefined;
}

/** A day as the browser's field writes it; an incomplete one is empty. */
const readDay = (text: string): string | null => (text === '' ? null : text);

/** How the ends of a range are read, shown and typed. */
const kinds = {
  points: { read: readPoints, show: formatAmount, input: { inputMode: 'numeric', maxLength: 20 } },
  days: { read: readDay, show: (day: string) => day, input: { type: 'date' } },
} as const;

/** A filter by a range of points or of days; either end may be empty. */
export function RangeChip({ kind, label, from, to, onSet }: RangeChipProps) {
  const { t } = useTranslation();
  const { show } = kinds[kind];
  const value =
    from !== undefined && to !== undefined
      ? `${show(from)}–${show(to)}`
      : from !== undefined
        ? t(`list.${kind}.atLeast`, { end: show(from) })
        : to !== undefined
          ? t(`list.${kind}.atMost`, { end: show(to) })
          : t('list.all');
  return (
    <FormChip
      label={label}
      shown={<b className="num">{value}</b>}
      isActive={from !== undefined || to !== undefined}
    >
      {(close) => (
        <RangeForm
          kind={kind}
          from={from}
          to={to}
          onSet={(...ends) => {
            close();
            onSet(...ends);
          }}
        />
      )}
    </FormChip>
  );
}

function RangeForm({ kind, from, to, onSet }: Omit<RangeChipProps, 'label'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' });
  const [errors, setErrors] = useState<{ from?: string | null; to?: string | null }>({});
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) };
  const { read, input } = kinds[kind];
  const apply = () => {
    const [least, most] = [read(typed.from), read(typed.to)];
    const isReversed = least != null && most != null && least > most;
    const whole = t('list.points.whole');
    const found = {
      from: least === undefined ? whole : null,
      to: most === undefined ? whole : isReversed ? t(`list.${kind}.reversed`) : null,
    };
    setErrors(found);
    if (found.from !== null) showField(fields.from.current);
    else if (found.to !== null) showField(fields.to.current);
    if (least !== undefined && most !== undefined && !isReversed) onSet(least, most);
  };
  return (
    <FilterForm onApply={apply} onClear={() => onSet(null, null)}>
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          ref={fields[end]}
          label={t(`list.${kind}.${end}`)}
          autoComplete="off"
          {...input}
          value={typed[end]}
          error={fieldError(errors[end])}
          onChange={(event) => setTyped({ ...typed, [end]: event.currentTarget.value })}
        />
      ))}
    </FilterForm>
  );
}
