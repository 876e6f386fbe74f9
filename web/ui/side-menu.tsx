import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './side-menu.module.css';

type SideMenuProps = { isOpen: boolean; onClose: () => void; title: string; children: ReactNode };

const classNames = { content: styles.menu ?? '' };

/** A menu that slides in from the left, for phones. */
export function SideMenu({ isOpen, onClose, title, children }: SideMenuProps) {
  const { t } = useTranslation();
  // Opened after the first render, so that focus returns to the trigger. The library records the trigger only on a
  // change.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Drawer.Root opened={isShown} onClose={onClose} position="left" size={320}>
      <Drawer.Overlay />
      <Drawer.Content classNames={classNames}>
        <div className={styles.head}>
          <Drawer.Title className={styles.title}>{title}</Drawer.Title>
          <ActionIcon size={44} onClick={onClose} aria-label={t('common.close')}>
            <IconX size={20} stroke={1.75} />
          </ActionIcon>
        </div>
        <div className={styles.body}>{children}</div>
      </Drawer.Content>
    </Drawer.Root>
  );
}
