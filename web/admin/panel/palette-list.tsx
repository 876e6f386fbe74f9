import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '#web/admin/kit/key-caps.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import type { Item, ItemGroup } from './items.ts';
import styles from './palette.module.css';
import type { Search } from './use-search.ts';

/** An answer within this time needs no sign that it is awaited. */
const SEARCHING_MS = 150;

type PaletteListProps = {
  id: string;
  groups: readonly ItemGroup[];
  state: Search['state'];
  /** What is said where no line is found; null while nothing is typed. */
  nothing: string | null;
  marked: Item | undefined;
  optionId: (item: Item) => string;
  onPick: (item: Item, isNewTab: boolean) => void;
  onMark: (item: Item) => void;
};

/** The lines of the palette in their groups, and below them how the search stands. */
export function PaletteList({
  id,
  groups,
  state,
  nothing,
  marked,
  optionId,
  onPick,
  onMark,
}: PaletteListProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that is longer than the window scrolls by keys.
    <section className={styles.list} tabIndex={0} aria-label={t('palette.list')}>
      <div id={id} role="listbox" aria-label={t('palette.list')} aria-busy={state === 'searching'}>
        {groups.map(({ title, items }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: the group belongs to a listbox.
          <div key={title} role="group" aria-labelledby={`${id}-${index}`}>
            <p id={`${id}-${index}`} className={styles.heading}>
              {title}
            </p>
            {items.map((item) => (
              <Option
                key={item.key}
                item={item}
                id={optionId(item)}
                isMarked={item === marked}
                onPick={onPick}
                onMark={onMark}
              />
            ))}
          </div>
        ))}
      </div>
      <SearchState state={state} nothing={groups.length === 0 ? nothing : null} />
    </section>
  );
}

type OptionProps = Pick<PaletteListProps, 'onPick' | 'onMark'> & {
  item: Item;
  id: string;
  isMarked: boolean;
};

function Option({ item, id, isMarked, onPick, onMark }: OptionProps) {
  const { icon: Sign, title, note, caps, warning } = item;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the field names the marked option.
    <div
      id={id}
      role="option"
      aria-selected={isMarked}
      className={styles.option}
      onClick={(event) => onPick(item, event.ctrlKey || event.metaKey)}
      onMouseMove={() => !isMarked && onMark(item)}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Sign size={20} stroke={1.75} aria-hidden="true" />
      <span className={styles.text}>
        <b>{title}</b>
        {note !== undefined && <small>{note}</small>}
      </span>
      {warning !== undefined && <span className={styles.warning}>{warning}</span>}
      {caps !== undefined && (
        <span className={styles.keys} aria-hidden="true">
          <KeyCaps caps={caps} />
        </span>
      )}
    </div>
  );
}

function SearchState({ state, nothing }: Pick<PaletteListProps, 'state' | 'nothing'>) {
  const { t } = useTranslation();
  return (
    <div role="status" className={clsx(state === 'searching' && styles.searching)}>
      {state === 'searching' && <SearchingBar />}
      {(state === 'done' || state === 'idle') && nothing !== null && (
        <p className={styles.state}>{nothing}</p>
      )}
      {state === 'offline' && <p className={styles.state}>{t('palette.offline')}</p>}
      {state === 'failed' && <p className={styles.state}>{t('palette.failed')}</p>}
    </div>
  );
}

function SearchingBar() {
  const { t } = useTranslation();
  return useDelayed(SEARCHING_MS) ? <span className={styles.bar}>{t('palette.searching')}</span> : null;
}
