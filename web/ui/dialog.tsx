import { ActionIcon, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './dialog.module.css';
import { FocusReturn } from './focus-return.tsx';
import { below } from './sizes.ts';

type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** Called after the closing transition. */
  onClosed?: () => void;
  title: string;
  width: number;
  /**
   * What must be read before the act, above the rest. Then the focus begins at the title, and the dialog is described
   * by this text, so that a screen reader reads both before the first control.
   */
  text?: ReactNode;
  /** Whether the focus begins in the field with `data-autofocus` all the same. The text is read before it. */
  startsInField?: boolean;
  /** Can't be closed while an act runs. */
  isLocked?: boolean;
  children: ReactNode;
};

const classNames = { content: styles.dialog ?? '' };

/**
 * A dialog with a title and a close button, full screen on a phone. A click outside does not close it, so that typed
 * text is not lost.
 */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    onClosed,
    title,
    width,
    text,
    startsInField = false,
    isLocked = false,
    children,
  } = props;
  const { t } = useTranslation();
  const isPhone = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened={isOpen}
      returnFocus={false}
      onClose={onClose}
      {...(onClosed === undefined ? {} : { onExitTransitionEnd: onClosed })}
      size={width}
      centered
      fullScreen={isPhone}
      closeOnClickOutside={false}
      closeOnEscape={!isLocked}
    >
      <Modal.Overlay />
      <Modal.Content radius={isPhone ? 0 : 'xl'} classNames={classNames}>
        <FocusReturn isOpen={isOpen} />
        <div className={styles.head}>
          <Modal.Title
            className={styles.title}
            {...(text === undefined || startsInField ? {} : { tabIndex: -1, 'data-autofocus': true })}
          >
            {title}
          </Modal.Title>
          {!isLocked && (
            <ActionIcon onClick={onClose} aria-label={t('common.close')}>
              <IconX size={20} stroke={1.75} />
            </ActionIcon>
          )}
        </div>
        <div className={styles.body}>
          {text !== undefined && <Modal.Body p={0}>{text}</Modal.Body>}
          {children}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
