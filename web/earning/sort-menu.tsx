import { Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconSortDescending } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './chips.module.css';
import { type ListingSort, listingSorts } from './listing-order.ts';

type SortMenuProps = { sort: ListingSort; onSort: (sort: ListingSort) => void };

/** A chip that shows the current order and opens a menu of the others. */
export function SortMenu({ sort, onSort }: SortMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={`${styles.chip} ${styles.sort}`}>
          <IconSortDescending size={16} stroke={2} aria-hidden="true" />
          <span className="visually-hidden">{t('tasks.sort')}: </span>
          {t(`tasks.sorts.${sort}`)}
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={sort}
          onChange={(chosen) => onSort(listingSorts.find((one) => one === chosen) ?? sort)}
        >
          {listingSorts.map((one) => (
            <Menu.RadioItem
              key={one}
              value={one}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} stroke={2} aria-hidden="true" />}
            >
              {t(`tasks.sorts.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
