import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FocusReturn } from './focus-return.tsx';
import styles from './side-menu.module.css';

type SideMenuProps = { isOpen: boolean; onClose: () => void; title: string; children: ReactNode };

const classNames = { content: styles.menu ?? '' };

/** A menu that slides in from the left, for phones. */
export function SideMenu({ isOpen, onClose, title, children }: SideMenuProps) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} returnFocus={false} position="left" size={320}>
      <Drawer.Overlay />
      <Drawer.Content classNames={classNames}>
        <FocusReturn isOpen={isOpen} />
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
