import { Button } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './act-form.module.css';
import { FailureLine } from './failure-line.tsx';
import { SheetFoot } from './sheet-parts.tsx';
import { type SubmitTone, submitLooks } from './submit-looks.ts';

/** Where a form stands: alone in a dialog, or in the sheet beside what it is about, with its buttons at the foot. */
export type FormPlace = 'dialog' | 'sheet';

type ActFormProps = {
  ref?: Ref<HTMLFormElement>;
  place?: FormPlace;
  submit: { label: string; tone: SubmitTone; isDisabled?: boolean };
  isPending: boolean;
  /** What the button does. */
  fine: string;
  failure?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** The form of an operator's act. The same form stands in a dialog of its list and on the page of a member. */
export function ActForm({
  ref,
  place = 'dialog',
  submit,
  isPending,
  fine,
  failure = null,
  onSubmit,
  onClose,
  children,
}: ActFormProps) {
  const { t } = useTranslation();
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  const isInSheet = place === 'sheet';
  const buttons = (
    <>
      <Button variant="subtle" onClick={onClose} disabled={isPending}>
        {t('common.cancel')}
      </Button>
      <Button
        type="submit"
        {...submitLooks[submit.tone]}
        {...(isInSheet && { className: styles.wide })}
        disabled={submit.isDisabled === true}
        loading={isPending}
      >
        {submit.label}
      </Button>
    </>
  );
  return (
    <form
      {...(ref !== undefined && { ref })}
      onSubmit={send}
      noValidate
      className={isInSheet ? styles.inSheet : styles.fields}
    >
      {isInSheet ? <div className={styles.scroll}>{children}</div> : children}
      {isInSheet ? (
        <SheetFoot fine={fine} failure={failure}>
          {buttons}
        </SheetFoot>
      ) : (
        <>
          <FailureLine text={failure} />
          <p className={styles.fine}>{fine}</p>
          <div className={styles.actions}>{buttons}</div>
        </>
      )}
    </form>
  );
}
