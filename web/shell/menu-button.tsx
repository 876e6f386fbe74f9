import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './menu-drawer.module.css';

const MenuDrawer = lazy(() => import('./menu-drawer.tsx').then((file) => ({ default: file.MenuDrawer })));

/** The menu button of a phone's top bar. The drawer is loaded when it first opens. */
export function MenuButton() {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [wasWanted, setWanted] = useState(false);
  return (
    <>
      <ActionIcon
        className={styles.opener}
        aria-label={t('nav.menu')}
        aria-expanded={isOpen}
        onClick={() => {
          setWanted(true);
          open();
        }}
      >
        <IconMenu2 size={20} stroke={1.75} />
      </ActionIcon>
      {wasWanted && (
        <Suspense>
          <MenuDrawer isOpen={isOpen} close={close} />
        </Suspense>
      )}
    </>
  );
}
