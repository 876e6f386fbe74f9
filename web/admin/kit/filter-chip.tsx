import { Button, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './operator-list.module.css';

/** The parts that filter chips share: the chip itself, and the form below one whose value is typed. */

type ChipButtonProps = ComponentProps<'button'> & { label: string; shown: ReactNode; isActive: boolean };

/** A chip with its value. */
export function ChipButton({ label, shown, isActive, ...button }: ChipButtonProps) {
  return (
    <button {...button} type="button" className={styles.chip} data-active={isActive || undefined}>
      {label} {shown}
      <IconChevronDown size={16} stroke={2} aria-hidden="true" />
    </button>
  );
}

type FormChipProps = Pick<ChipButtonProps, 'label' | 'shown' | 'isActive'> & {
  /** The form, which closes itself by `close`. */
  children: (close: () => void) => ReactNode;
};

/** A chip that opens a form. */
export function FormChip({ label, children, ...chip }: FormChipProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
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
        <ChipButton label={label} {...chip} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(close)}</Popover.Dropdown>
    </Popover>
  );
}

type FilterFormProps = { onApply: () => void; onClear: () => void; children: ReactNode };

/** The fields of a filter, with the buttons that set and clear it. */
export function FilterForm({ onApply, onClear, children }: FilterFormProps) {
  const { t } = useTranslation();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    onApply();
  };
  return (
    <form className={styles.filterForm} onSubmit={submit} noValidate>
      {children}
      <div className={styles.filterButtons}>
        <Button variant="subtle" size="sm" onClick={onClear}>
          {t('list.range.clear')}
        </Button>
        <Button type="submit" variant="default" size="sm">
          {t('list.range.set')}
        </Button>
      </div>
    </form>
  );
}
