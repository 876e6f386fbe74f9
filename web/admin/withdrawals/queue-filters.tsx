import { CloseButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck, IconChevronDown, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './queue-page.module.css';
import type { Queue } from './use-queue.ts';

const statuses = ['pending', 'approved', 'rejected', 'all'] as const;
const sorts = ['oldest', 'newest', 'largest', 'smallest'] as const;
const TYPING_MS = 300;

/**
 * What is shown and in which order, as chips that say their value, and a field that finds. All of it is in the
 * address.
 */
export function QueueFilters({ queue, onChange }: { queue: Queue; onChange: () => void }) {
  const { t } = useTranslation();
  const show: Queue['show'] = (change) => {
    onChange();
    queue.show(change);
  };
  return (
    <search className={styles.filters} aria-label={t('queue.filters')}>
      <Chip
        label={t('queue.status')}
        value={t(`queue.statuses.${queue.status}`)}
        isActive={queue.status !== 'all'}
        options={statuses.map((status) => ({
          key: status,
          label: t(`queue.statuses.${status}`),
          isChosen: status === queue.status,
          choose: () => show({ status }),
        }))}
      />
      <Chip
        label={t('queue.sort')}
        value={t(`queue.sorts.${queue.sort}`)}
        isActive={false}
        options={sorts.map((sort) => ({
          key: sort,
          label: t(`queue.sorts.${sort}`),
          isChosen: sort === queue.sort,
          choose: () => show({ sort }),
        }))}
      />
      <Find q={queue.q} onFind={(q) => show({ q })} />
    </search>
  );
}

type Option = { key: string; label: string; isChosen: boolean; choose: () => void };
type ChipProps = { label: string; value: string; isActive: boolean; options: Option[] };

function Chip({ label, value, isActive, options }: ChipProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.chip} data-active={isActive || undefined}>
          {label} <b>{value}</b>
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={options.find((option) => option.isChosen)?.key ?? ''}
          onChange={(key) => options.find((option) => option.key === key)?.choose()}
        >
          {options.map((option) => (
            <Menu.RadioItem key={option.key} value={option.key} closeMenuOnClick checkIcon={<Chosen />}>
              {option.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const Chosen = () => <IconCheck size={16} stroke={2} aria-hidden="true" />;

function Find({ q, onFind }: { q: string; onFind: (q: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(q);
  useEffect(() => setTyped(q), [q]);
  const find = useDebouncedCallback((text: string) => onFind(text.trim()), TYPING_MS);
  return (
    <TextInput
      className={styles.search}
      classNames={{ input: styles.searchInput }}
      size="sm"
      aria-label={t('queue.searchLabel')}
      placeholder={t('queue.search')}
      value={typed}
      maxLength={254}
      leftSection={<IconSearch size={16} stroke={2} aria-hidden="true" />}
      rightSection={
        typed === '' ? null : (
          <CloseButton size="sm" aria-label={t('queue.clear')} onClick={() => onFind('')} />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        find(event.currentTarget.value);
      }}
    />
  );
}
