import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '#web/admin/kit/key-caps.tsx';
import { areSingleKeysOn, type KeyGroup, switchSingleKeys, useMountedKeys } from '#web/admin/kit/keys.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './keys-sheet.module.css';
import type { Place } from './places.ts';

type KeysSheetProps = { isOpen: boolean; places: readonly Place[]; onClose: () => void };

/** The keys of the frame and of the screen, and the switch of those that are a single character. */
export function KeysSheet({ isOpen, places, onClose }: KeysSheetProps) {
  const { t } = useTranslation();
  const mounted = useMountedKeys();
  const groups: KeyGroup[] = [
    {
      title: t('keys.everywhere'),
      lines: [
        { label: t('keys.find'), caps: ['Ctrl', 'K'] },
        { label: t('keys.these'), caps: ['?'] },
        { label: t('keys.back'), caps: ['Esc'] },
      ],
    },
    ...mounted,
    {
      title: t('keys.goTo'),
      lines: places.map(({ label, letter }) => ({ label, caps: ['G', letter], isSequence: true })),
    },
  ];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('keys.title')} width={760}>
      <p className={styles.lead}>{t('keys.lead')}</p>
      <div className={styles.groups}>
        {groups.map(({ title, lines }) => (
          <section key={title} className={styles.group} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(({ label, caps, isSequence }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <KeyCaps caps={caps} isSequence={isSequence} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <SingleKeysSwitch />
    </Dialog>
  );
}

function SingleKeysSwitch() {
  const { t } = useTranslation();
  const [areOn, setOn] = useState(areSingleKeysOn);
  return (
    <div className={styles.switch}>
      <Switch
        label={t('keys.single')}
        description={t('keys.singleText')}
        checked={areOn}
        onChange={(event) => {
          switchSingleKeys(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
      />
    </div>
  );
}
