import { Button, Popover, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortenMiddle } from '#web/client/format.ts';
import styles from './operator-list.module.css';

const TEXT_MAX = 254;

type TextChipProps = {
  label: string;
  value: string | undefined;
  onSet: (value: string | null) => void;
};

/** A filter by a text as it is stored, such as an id. */
export function TextChip({ label, value, onSet }: TextChipProps) {
  const { t } = useTranslation();
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
        <button
          type="button"
          className={styles.chip}
          data-active={value !== undefined || undefined}
          onClick={toggle}
        >
          {label} <b>{value === undefined ? t('list.all') : shortenMiddle(value)}</b>
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <TextForm
          label={label}
          value={value}
          onSet={(text) => {
            close();
            onSet(text);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function TextForm({ label, value, onSet }: TextChipProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value ?? '');
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    onSet(typed.trim() === '' ? null : typed.trim());
  };
  return (
    <form className={styles.rangeForm} onSubmit={submit}>
      <TextInput
        label={label}
        autoComplete="off"
        maxLength={TEXT_MAX}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.rangeButtons}>
        <Button variant="subtle" size="sm" onClick={() => onSet(null)}>
          {t('list.range.clear')}
        </Button>
        <Button type="submit" variant="default" size="sm">
          {t('list.range.set')}
        </Button>
      </div>
    </form>
  );
}
