import { ActionIcon, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { below } from '#web/ui/sizes.ts';
import styles from './side-sheet.module.css';

type FactSheetProps = { title: string; onClose: () => void; children: ReactNode };

/** A sheet of facts about something that is no row of a list. Escape closes it. */
export function FactSheet({ title, onClose, children }: FactSheetProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery(below('tablet')) ?? false;
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={isPhone ? '100%' : 432}>
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: styles.over ?? '' }} data-sheet aria-label={title}>
        <div className={styles.head}>
          <h2>{title}</h2>
          <ActionIcon data-autofocus onClick={onClose} aria-label={t('common.close')}>
            <IconX size={20} stroke={1.75} />
          </ActionIcon>
        </div>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  );
}
