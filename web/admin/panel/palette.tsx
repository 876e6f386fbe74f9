import { Modal, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '#web/admin/kit/key-caps.tsx';
import { PauseDialog } from '#web/admin/kit/pause-dialog.tsx';
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
 * The palette: finds what a pasted id, address, phone number or transaction belongs to, goes to a place, and runs
 * commands. Without a connection places and commands still work.
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
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const { groups, state } = useItems(typed, { places, commands: useCommands({ onKeys, onPause }) });
  const items = groups.flatMap((group) => group.items);
  const marked = items[Math.min(at, items.length - 1)];
  const optionId = (item: Item) => `${id}${items.indexOf(item)}`;
  const markedId = marked === undefined ? undefined : optionId(marked);
  useEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' });
  }, [markedId]);

  const pick = (item: Item, isNewTab: boolean) => {
    if (isNewTab && item.link !== undefined) window.open(item.link, '_blank', 'noopener');
    else {
      onClose();
      item.run();
    }
  };
  const press = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isMod = event.ctrlKey || event.metaKey;
    if (event.nativeEvent.isComposing) return;
    if (by !== undefined && marked !== undefined)
      setAt((items.indexOf(marked) + by + items.length) % items.length);
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
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
        />
        <EscapeButton onClose={onClose} />
      </div>
      <PaletteList
        id={`${id}list`}
        groups={groups}
        state={state}
        marked={marked}
        optionId={optionId}
        onPick={pick}
        onMark={(item) => setAt(items.indexOf(item))}
      />
      <Foot isTyping={typed !== ''} />
    </>
  );
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
