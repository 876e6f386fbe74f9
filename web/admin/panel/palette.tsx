import { Modal, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '#web/admin/kit/key-caps.tsx';
import { PauseDialog } from '#web/admin/kit/pause-dialog.tsx';
import { endTypingAhead, typedAhead } from '#web/admin/kit/typed-ahead.ts';
import { sheetActs } from '#web/admin/kit/use-sheet-key.ts';
import { FocusReturn } from '#web/ui/focus-return.tsx';
import { below } from '#web/ui/sizes.ts';
import type { Item } from './items.ts';
import styles from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import type { Place } from './places.ts';
import { useCommands } from './use-commands.ts';
import { useItems } from './use-items.ts';

type PaletteProps = {
  isOpen: boolean;
  places: readonly Place[];
  onKeys: () => void;
  onClose: () => void;
};

const classNames = { content: styles.palette ?? '' };

/**
 * The palette: finds a member by name, and what a pasted id, address, phone number or transaction belongs to; does what
 * the open sheet does; goes to a place, and runs commands. Without a connection all but finding still work.
 */
export function Palette({ isOpen, places, onKeys, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const [isPauseOpen, setPauseOpen] = useState(false);
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  return (
    <>
      <Modal.Root
        opened={isOpen}
        onClose={onClose}
        returnFocus={false}
        size={680}
        yOffset={96}
        fullScreen={isPhone}
      >
        <Modal.Overlay />
        <Modal.Content radius={isPhone ? 0 : 'lg'} classNames={classNames} aria-label={t('palette.title')}>
          <FocusReturn isOpen={isOpen} />
          <Finder places={places} onKeys={onKeys} onPause={() => setPauseOpen(true)} onClose={onClose} />
        </Modal.Content>
      </Modal.Root>
      <PauseDialog isOpen={isPauseOpen} onClose={() => setPauseOpen(false)} />
    </>
  );
}

type FinderProps = Pick<PaletteProps, 'places' | 'onKeys' | 'onClose'> & { onPause: () => void };

/** The field and what it finds. The field keeps the focus; the arrows move a mark through the list. */
function Finder({ places, onKeys, onPause, onClose }: FinderProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(typedAhead);
  /** The line that was chosen by an arrow or the pointer. It stays marked when found ones come above it. */
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    setChosenKey(null);
  };
  const id = useId();
  const field = useFocusAtOnce();
  const commands = useCommands({ onKeys, onPause });
  const { groups, state, nothing } = useItems(typed, { places, acts: sheetActs(), commands });
  const items = groups.flatMap((group) => group.items);
  const marked = items.find(({ key }) => key === chosenKey) ?? items[0];
  const optionId = (item: Item) => `${id}${items.indexOf(item)}`;
  const markedId = marked === undefined ? undefined : optionId(marked);
  useScrolledTo(markedId);

  const pick = pickerOf(onClose);
  const press = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isMod = event.ctrlKey || event.metaKey;
    if (event.nativeEvent.isComposing) return;
    if (by !== undefined && marked !== undefined)
      setChosenKey(items[(items.indexOf(marked) + by + items.length) % items.length]?.key ?? null);
    else if (event.key === 'Enter' && marked !== undefined) pick(marked, isMod);
    else if (isMod && event.code === 'KeyK') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-label={t('palette.title')}
          aria-expanded={items.length > 0}
          aria-controls={`${id}list`}
          aria-activedescendant={markedId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          placeholder={t('palette.placeholder')}
          value={typed}
          onKeyDown={press}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <EscapeButton onClose={onClose} />
      </div>
      <PaletteList
        id={`${id}list`}
        groups={groups}
        state={state}
        nothing={typed.trim() === '' ? null : nothing}
        marked={marked}
        optionId={optionId}
        onPick={pick}
        onMark={({ key }) => setChosenKey(key)}
      />
      <Foot isTyping={typed !== ''} />
    </>
  );
}

/** Does what a line says; a place can be opened in a new tab. */
const pickerOf = (onClose: () => void) => (item: Item, isNewTab: boolean) => {
  if (isNewTab && item.link !== undefined) window.open(item.link, '_blank', 'noopener');
  else {
    onClose();
    item.run();
  }
};

function useScrolledTo(markedId: string | undefined): void {
  useEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' });
  }, [markedId]);
}

/** Gives the field the focus when it is mounted, as the trap of the dialog does it later, when letters are lost. */
function useFocusAtOnce() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    endTypingAhead();
  }, []);
  return field;
}

function EscapeButton({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={styles.escape} onClick={onClose}>
      <VisuallyHidden>{t('common.close')} </VisuallyHidden>
      <kbd>Esc</kbd>
    </button>
  );
}

function Foot({ isTyping }: { isTyping: boolean }) {
  const { t } = useTranslation();
  if (isTyping) return <p className={styles.foot}>{t('palette.paste')}</p>;
  const hints = [
    { caps: ['↑', '↓'], label: t('palette.hints.move') },
    { caps: ['Enter'], label: t('palette.hints.open') },
    { caps: ['Ctrl', 'Enter'], label: t('palette.hints.tab') },
    { caps: ['>'], label: t('palette.hints.commands') },
    { caps: ['@'], label: t('palette.hints.members') },
  ];
  return (
    <p className={styles.foot}>
      {hints.map(({ caps, label }) => (
        <span key={label}>
          <KeyCaps caps={caps} /> {label}
        </span>
      ))}
    </p>
  );
}
