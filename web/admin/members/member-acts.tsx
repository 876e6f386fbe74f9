import { SegmentedControl } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { SheetFrame, SheetTitle } from '#web/admin/kit/side-sheet.tsx';
import type { MemberAct } from '#web/client/member-search.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { actsOn } from './acts-on.ts';
import styles from './member-acts.module.css';
import { MessageForm } from './message-form.tsx';
import { SuspendForm } from './suspend-dialog.tsx';

type FormProps = { memberId: string; onClose: () => void };

/** The forms of acts that move points. They belong to the features of these acts. */
export type MoneyForms = Record<'grant' | 'chargeback', (props: FormProps) => ReactNode>;

type MemberActsProps = {
  member: AccountRecord;
  act: MemberAct;
  forms: MoneyForms;
  isBeside: boolean;
  onChange: (act: MemberAct) => void;
  onClose: () => void;
};

/** The sheet in which an operator acts on the member of the page: one form for each act. */
export function MemberActs({ member, act, forms, isBeside, onChange, onClose }: MemberActsProps) {
  const { t } = useTranslation();
  const name = fullNameOf(member);
  const title = t('member.acts.title', { name });
  const acts = actsOn(member);
  const MoneyForm = forms[act === 'chargeback' ? 'chargeback' : 'grant'];
  return (
    <SheetFrame title={title} isBeside={isBeside} onClose={onClose}>
      <SheetTitle title={title} onClose={onClose} />
      <div className={styles.acts}>
        <SegmentedControl
          fullWidth
          classNames={{ label: styles.act ?? '' }}
          aria-label={t('member.acts.which')}
          value={act}
          data={acts.map((value) => ({ value, label: t(`member.acts.${value}.name`) }))}
          onChange={(value) => onChange(acts.find((one) => one === value) ?? act)}
        />
      </div>
      <Suspense fallback={<SkeletonRows count={3} />}>
        {(act === 'grant' || act === 'chargeback') && (
          <MoneyForm key={act} memberId={member.id} onClose={onClose} />
        )}
        {act === 'suspend' && <SuspendForm place="sheet" memberId={member.id} onClose={onClose} />}
        {act === 'message' && <MessageForm member={member} name={name} onClose={onClose} />}
      </Suspense>
    </SheetFrame>
  );
}
