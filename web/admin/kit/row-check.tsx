import { Checkbox, type CheckboxProps } from '@mantine/core';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import styles from './row-check.module.css';
import type { Selection } from './use-selection.ts';

/** A check box whose label is a target of 44 px, so that a miss does not open the row. */
export function RowCheck({ className, ...props }: CheckboxProps & { 'aria-label': string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the check box in it is its control.
    <label className={clsx(styles.target, className)}>
      <Checkbox {...props} />
    </label>
  );
}

type RowSelectProps<Row extends { id: string }> = {
  row: Row;
  name: string;
  selection: Selection<Row>;
  size: 'xs' | 'sm';
  className?: string | undefined;
};

/** The check box of a waiting row. One that is left out of acts on many says why; its flag is in the row as well. */
export function RowSelect<Row extends { id: string }>({
  row,
  name,
  selection,
  size,
  className,
}: RowSelectProps<Row>) {
  const { t } = useTranslation();
  const obstacle = selection.findObstacle(row);
  if (obstacle === undefined && !selection.canSelect(row)) return null;
  const label = t('list.selectRow', { name });
  return (
    <RowCheck
      {...(className === undefined ? {} : { className })}
      size={size}
      checked={selection.has(row)}
      disabled={obstacle !== undefined}
      onChange={() => selection.toggle(row)}
      aria-label={obstacle === undefined ? label : t('list.leftOut', { label, obstacle })}
      {...(obstacle === undefined ? {} : { title: obstacle })}
    />
  );
}
