import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './confirm-dialog.module.css';
import { FailureLine } from './failure-line.tsx';
import { submitLooks } from './submit-looks.ts';

type ConfirmDialogProps<Subject> = {
  /** What the act is about. Null closes the dialog, which shows the last subject while it closes. */
  of: Subject | null;
  words: (subject: Subject) => Words;
  /** The colour of the submit button: brick destroys. */
  tone?: 'danger' | 'plain';
  isPending: boolean;
  failure?: string | null;
  onSubmit: (subject: Subject) => void;
  onClose: () => void;
};

type Words = { title: string; text: ReactNode; submit: string };
// The dialog is mounted before it is asked, so that it opens with its transition.
const unasked: Words = { title: '', text: '', submit: '' };
/** Asks before an act that needs no more than a yes. It can't be closed while the act runs. */
export function ConfirmDialog<Subject>({
  of,
  words,
  tone = 'plain',
  isPending,
  failure = null,
  onSubmit,
  onClose,
}: ConfirmDialogProps<Subject>) {
  const { t } = useTranslation();
  const last = useRef(of);
  if (of !== null) last.current = of;
  const { title, text, submit } = last.current === null ? unasked : words(last.current);
  return (
    <Dialog
      isOpen={of !== null}
      onClose={onClose}
      isLocked={isPending}
      title={title}
      width={460}
      text={typeof text === 'string' ? <p>{text}</p> : text}
    >
      <FailureLine text={failure} className={styles.failure} />
      <div className={styles.buttons}>
        <Button {...submitLooks[tone]} loading={isPending} onClick={() => of !== null && onSubmit(of)}>
          {submit}
        </Button>
        <Button variant="subtle" disabled={isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
