import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PayoutAct } from '#contract/withdrawals-payouts.ts';
import { SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { SHEET_UNDO } from '#web/admin/kit/use-undo-key.ts';
import type { ActName, ActTarget } from './payout-act-dialog.tsx';
import { TroubleActs } from './payout-trouble.tsx';
import styles from './payouts.module.css';
import { useUndo } from './use-undo.ts';

const troubleActs = ['retry', 'settle', 'fail'] as const satisfies readonly ActName[];

/** The acts that change a payout in trouble, of those that this operator can do. */
export const troubleActsOf = (acts: readonly PayoutAct[]) => troubleActs.filter((act) => acts.includes(act));

type PayoutFootProps = {
  request: { id: string; amount: string };
  /** What the operator who reads can do about the payout. */
  acts: readonly PayoutAct[];
  /** What the acts on a payout in trouble are about; undefined until it is read. */
  target: ActTarget | undefined;
  fine: string | undefined;
  onUndone: () => void;
  /** The way on, while nothing is wrong with the payout. */
  children: ReactNode;
};

/** The foot of an approved request and of its payout: to take the approval back, and to mend a payout in trouble. */
export function PayoutFoot({ request, acts, target, fine, onUndone, children }: PayoutFootProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const { undo, isPending } = useUndo({ request, onUndone, onFailed: setFailure });
  const changes = target === undefined ? [] : troubleActsOf(acts);
  const tryUndo = () => {
    setFailure(null);
    undo();
  };
  return (
    <SheetFoot fine={fine} failure={failure}>
      {acts.includes('undo') && (
        <Button
          {...SHEET_UNDO}
          variant="default"
          className={styles.act}
          loading={isPending}
          onClick={tryUndo}
        >
          {t('queue.sheet.undo')}
        </Button>
      )}
      {target !== undefined && changes.length > 0 ? <TroubleActs acts={changes} target={target} /> : children}
    </SheetFoot>
  );
}
