import { CloseButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck, IconColumns3, IconSearch } from '@tabler/icons-react';
import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ALL } from '#web/client/list-search.ts';
import { ChipButton } from './filter-chip.tsx';
import type { Column, FilterChip, ListScreen, Option } from './list-screen.ts';
import styles from './operator-list.module.css';
import { RangeChip } from './range-chip.tsx';
import { TextChip } from './text-chip.tsx';
import { LIST_FILTERS_ID, LIST_SEARCH_ID } from './use-list-keys.ts';

const TYPING_MS = 300;

type ColumnsProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  /** The visible columns. */
  columns: readonly Column<Row>[];
};

/** Filter and sort chips, each with its value, and the search field. */
export function ListFilters<Row extends { id: string }>({ screen, columns }: ColumnsProps<Row>) {
  const { t } = useTranslation();
  const { state, filters, words } = screen;
  return (
    <search id={LIST_FILTERS_ID} className={styles.filters} aria-label={t('list.filters')}>
      {/* A wheel that turns down moves the chips along, as there is nothing to go down to. */}
      <div
        className={styles.chips}
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
      >
        {filters.map((chip) => (
          <Chip key={chip.label} chip={chip} values={state.filters} onSet={state.filter} />
        ))}
        <ChoiceChip
          label={t('list.sort')}
          options={screen.sorts}
          value={state.sort}
          isActive={false}
          onChoose={(sort) => state.show({ sort })}
        />
        <ColumnMenu screen={screen} columns={columns} />
      </div>
      <SearchField q={state.q} words={words} onSearch={(q) => state.show({ q })} />
    </search>
  );
}

type FilterChipsProps = { state: Pick<ListScreen<{ id: string }>['state'], 'filters' | 'filter'> } & {
  chips: readonly FilterChip[];
  className: string | undefined;
};

/** The filter chips of a list that is a table in a card. */
export function FilterChips({ state, chips, className }: FilterChipsProps) {
  const { t } = useTranslation();
  return (
    <search className={className} aria-label={t('list.filters')}>
      {chips.map((chip) => (
        <Chip key={chip.label} chip={chip} values={state.filters} onSet={state.filter} />
      ))}
    </search>
  );
}

type ChipProps = {
  chip: FilterChip;
  values: Readonly<Record<string, string>>;
  onSet: (change: Readonly<Record<string, string | number | null>>) => void;
};

/** One filter as a chip. */
function Chip({ chip, values, onSet }: ChipProps) {
  const { t } = useTranslation();
  const { label } = chip;
  if (chip.kind === 'text')
    return (
      <TextChip label={label} value={values[chip.name]} onSet={(value) => onSet({ [chip.name]: value })} />
    );
  if (chip.kind === 'choice') {
    const { name, options } = chip;
    return (
      <ChoiceChip
        label={label}
        options={[...(options ?? []), { value: ALL, label: t('list.all') }]}
        value={values[name] ?? ALL}
        isDisabled={options === undefined}
        isActive={values[name] !== undefined}
        onChoose={(value) => onSet({ [name]: value === ALL ? null : value })}
      />
    );
  }
  const { kind, from, to } = chip;
  return (
    <RangeChip
      kind={kind}
      label={label}
      from={values[from]}
      to={values[to]}
      onSet={(least, most) => onSet({ [from]: least, [to]: most })}
    />
  );
}

type ChoiceChipProps = {
  label: string;
  value: string;
  isActive: boolean;
  isDisabled?: boolean;
  options: readonly Option[];
  onChoose: (value: string) => void;
};

const Chosen = () => <IconCheck size={16} stroke={2} aria-hidden="true" />;

function ChoiceChip({ label, value, isActive, isDisabled = false, options, onChoose }: ChoiceChipProps) {
  return (
    <Menu position="bottom-start" floatingStrategy="fixed">
      <Menu.Target>
        <ChipButton
          label={label}
          shown={<b>{options.find((option) => option.value === value)?.label ?? value}</b>}
          isActive={isActive}
          disabled={isDisabled}
        />
      </Menu.Target>
      <Menu.Dropdown className={styles.choices}>
        <Menu.RadioGroup value={value} onChange={onChoose}>
          {options.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick checkIcon={<Chosen />}>
              {option.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Chooses the columns of the table. The title column and at least one other remain. */
function ColumnMenu<Row extends { id: string }>({ screen, columns: visible }: ColumnsProps<Row>) {
  const { t } = useTranslation();
  const { state, columns } = screen;
  const shown = visible.map(({ key }) => key);
  return (
    <Menu position="bottom-start" floatingStrategy="fixed" closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className={`${styles.chip} ${styles.columnChip}`}>
          <IconColumns3 size={16} stroke={2} aria-hidden="true" />
          <span className={clsx(state.openId !== null && state.isBeside && 'visually-hidden')}>
            {t('list.columns')}
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={shown}
          onChange={(keys) =>
            state.chooseColumns(columns.map(({ key }) => key).filter((key) => keys.includes(key)))
          }
        >
          {columns.map(({ key, heading }) => (
            <Menu.CheckboxItem
              key={key}
              value={key}
              checkIcon={<Chosen />}
              disabled={shown.length === 1 && shown[0] === key}
            >
              {heading}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick
          disabled={state.columns === null}
          onClick={() => state.chooseColumns(null)}
        >
          {t('list.defaultColumns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type SearchFieldProps = {
  q: string;
  words: { search: string; searchLabel: string };
  onSearch: (q: string) => void;
};

function SearchField({ q, words, onSearch }: SearchFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(q);
  /** The last search of this field. It is not written back, because the operator may have typed on. */
  const sent = useRef(q);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);
  const send = (text: string) => {
    sent.current = text.trim();
    onSearch(sent.current);
  };
  const sendSoon = useDebouncedCallback(send, TYPING_MS);
  const clear = () => {
    sendSoon.cancel();
    setTyped('');
    send('');
  };
  return (
    <TextInput
      id={LIST_SEARCH_ID}
      className={styles.search}
      classNames={{ input: styles.searchInput }}
      size="sm"
      aria-label={words.searchLabel}
      placeholder={words.search}
      value={typed}
      maxLength={254}
      leftSection={<IconSearch size={16} stroke={2} aria-hidden="true" />}
      rightSection={
        typed === '' ? null : <CloseButton size="sm" aria-label={t('list.clearSearch')} onClick={clear} />
      }
      // Leaves the field, so that the keys of the list work again.
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        sendSoon(event.currentTarget.value);
      }}
    />
  );
}
