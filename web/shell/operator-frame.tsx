import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeys } from '#web/admin/kit/keys.ts';
import { beginTypingAhead } from '#web/admin/kit/typed-ahead.ts';
import { useLiveWaiting } from '#web/client/live-waiting.ts';
import { withWords } from '#web/client/words.ts';
import { SideMenu } from '#web/ui/side-menu.tsx';
import { HealthSign } from './health-item.tsx';
import styles from './operator-frame.module.css';
import { OperatorName, OperatorRail } from './operator-rail.tsx';
import { useGoKeys } from './use-go-keys.ts';
import { useOperatorPlaces } from './use-operator-places.ts';

const Palette = lazy(() =>
  withWords(import('#web/admin/panel/palette.tsx'), 'admin/kit', 'admin/panel').then((file) => ({
    default: file.Palette,
  })),
);
const KeysSheet = lazy(() =>
  withWords(import('#web/admin/panel/keys-sheet.tsx'), 'admin/panel').then((file) => ({
    default: file.KeysSheet,
  })),
);

type Panel = 'palette' | 'keys';

/**
 * The frame of the operators' screens: a navigation rail beside the work, on phones a menu; the palette that finds
 * anything; and the sheet of keys.
 */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [isMenuOpen, menu] = useDisclosure(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  useLiveWaiting();
  const find = () => {
    menu.close();
    setPanel('palette');
    beginTypingAhead(() => setPanel(null));
  };
  useKeys([
    { hotkey: 'G', act: useGoKeys() },
    { hotkey: 'shift+?', act: () => setPanel('keys') },
    { hotkey: 'mod+K', act: find, isWhileTyping: true },
  ]);
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <UnstyledButton className={styles.opener} onClick={menu.open} aria-label={t('panel.openMenu')}>
          <IconMenu2 size={20} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
        <OperatorName />
        <HealthSign />
        <ActionIcon className={styles.topFind ?? ''} size={44} onClick={find} aria-label={t('panel.find')}>
          <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      </header>
      <div className={styles.rail}>
        <OperatorRail onFind={find} />
      </div>
      {children}
      <SideMenu isOpen={isMenuOpen} onClose={menu.close} title={t('panel.openMenu')}>
        <div className={styles.drawer}>
          <OperatorRail onFind={find} onPick={menu.close} />
        </div>
      </SideMenu>
      <Panels panel={panel} onChange={setPanel} />
    </div>
  );
}

/** The palette and the sheet of keys. Each is loaded when it is first opened. */
function Panels({ panel, onChange }: { panel: Panel | null; onChange: (panel: Panel | null) => void }) {
  const places = useOperatorPlaces();
  const [opened, setOpened] = useState<readonly Panel[]>([]);
  if (panel !== null && !opened.includes(panel)) setOpened([...opened, panel]);
  const close = () => onChange(null);
  return (
    <Suspense>
      {opened.includes('palette') && (
        <Palette
          isOpen={panel === 'palette'}
          places={places}
          onKeys={() => onChange('keys')}
          onClose={close}
        />
      )}
      {opened.includes('keys') && <KeysSheet isOpen={panel === 'keys'} places={places} onClose={close} />}
    </Suspense>
  );
}
