import { ActionIcon, Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import styles from './withdrawal-dialog.module.css';

/** The dialog's title, the step if given, and the close button. */
export function DialogHead({ step, onClose }: { step?: 1 | 2; onClose: () => void }) {
  const { t } = useTranslation();
  const steps = ['details', 'check'] as const;
  return (
    <div className={styles.head}>
      <Modal.Title className={styles.title}>{t('withdrawals.dialog.title')}</Modal.Title>
      {step !== undefined && (
        <ol className={clsx('num', styles.steps)} aria-label={t('withdrawals.dialog.steps')}>
          {steps.map((name, index) => (
            <li key={name} aria-current={index + 1 === step ? 'step' : undefined}>
              <b>{index + 1}</b>
              <span>{t(`withdrawals.dialog.${name}`)}</span>
            </li>
          ))}
        </ol>
      )}
      <ActionIcon onClick={onClose} aria-label={t('common.close')} className={styles.close}>
        <IconX size={20} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}
