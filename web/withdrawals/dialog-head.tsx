import { ActionIcon, Modal } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { Step } from './use-withdrawal-draft.ts';
import styles from './withdrawal-dialog.module.css';

type DialogHeadProps = { step?: Step; steps?: readonly Step[]; onClose: () => void };

/** The dialog's title, the steps if given, and the close button. */
export function DialogHead({ step, steps = [], onClose }: DialogHeadProps) {
  const { t } = useTranslation();
  const now = step === undefined ? -1 : steps.indexOf(step);
  return (
    <div className={styles.head}>
      <Modal.Title className={styles.title}>{t('withdrawals.dialog.title')}</Modal.Title>
      {steps.length > 0 && (
        <ol className={clsx('num', styles.steps)} aria-label={t('withdrawals.dialog.steps')}>
          {steps.map((name, index) => (
            <li
              key={name}
              aria-current={index === now ? 'step' : undefined}
              data-done={index < now || undefined}
            >
              <b>{index < now ? <IconCheck size={14} stroke={2} aria-hidden="true" /> : index + 1}</b>
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
