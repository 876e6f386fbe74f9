import { Button, Popover, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount } from '#web/client/format.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import styles from './operator-list.module.css';

type PointsChipProps = {
  label: string;
  from: string | undefined;
  to: string | undefined;
  onSet: (from: number | null, to: number | null) => void;
};

/** A filter by a range of points; either end may be empty. */
export function PointsChip({ label, from, to, onSet }: PointsChipProps) {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const value =
    from !== undefined && to !== undefined
      ? `${formatAmount(from)}–${formatAmount(to)}`
      : from !== undefined
        ? t('list.points.atLeast', { points: formatAmount(from) })
        : to !== undefined
          ? t('list.points.atMost', { points: formatAmount(to) })
          : t('list.all');
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-start"
      floatingStrategy="fixed"
      trapFocus
      returnFocus
      width={280}
    >
      <Popover.Target>
        <button
          type="button"
          className={styles.chip}
          data-active={from !== undefined || to !== undefined || undefined}
          onClick={toggle}
        >
          {label} <b className="num">{value}</b>
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <PointsForm
          from={from}
          to={to}
          onSet={(...points) => {
            close();
            onSet(...points);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whole points; null for an empty field, undefined for invalid text. */
function readPoints(text: string): number | null | undefined {
  const digits = text.replaceAll(',', '').trim();
  if (digits === '') return null;
  return /^(0|[1-9]\d{0,14})$/.test(digits) ? Number(digits) : undefined;
}

function PointsForm({ from, to, onSet }: Pick<PointsChipProps, 'from' | 'to' | 'onSet'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' });
  const [errors, setErrors] = useState<{ from?: string | null; to?: string | null }>({});
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const [least, most] = [readPoints(typed.from), readPoints(typed.to)];
    const isReversed = typeof least === 'number' && typeof most === 'number' && least > most;
    const whole = t('list.points.whole');
    setErrors({
      from: least === undefined ? whole : null,
      to: most === undefined ? whole : isReversed ? t('list.points.reversed') : null,
    });
    if (least !== undefined && most !== undefined && !isReversed) onSet(least, most);
  };
  return (
    <form className={styles.pointsForm} onSubmit={submit} noValidate>
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          label={t(`list.points.${end}`)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={typed[end]}
          error={fieldError(errors[end])}
          onChange={(event) => setTyped({ ...typed, [end]: event.currentTarget.value })}
        />
      ))}
      <div className={styles.pointsButtons}>
        <Button variant="subtle" size="sm" onClick={() => onSet(null, null)}>
          {t('list.points.clear')}
        </Button>
        <Button type="submit" variant="default" size="sm">
          {t('list.points.set')}
        </Button>
      </div>
    </form>
  );
}
