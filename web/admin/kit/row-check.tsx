import { Checkbox, type CheckboxProps } from '@mantine/core';
import clsx from 'clsx';
import styles from './row-check.module.css';

/** A check box whose label is a target of 44 px, so that a miss does not open the row. */
export function RowCheck({ className, ...props }: CheckboxProps & { 'aria-label': string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the check box in it is its control.
    <label className={clsx(styles.target, className)}>
      <Checkbox {...props} />
    </label>
  );
}
