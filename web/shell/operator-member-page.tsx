import { lazy } from 'react';
import type { MoneyForms } from '#web/admin/members/member-acts.tsx';
import { MemberPage as Page } from '#web/admin/members/member-page.tsx';
import { withWords } from '#web/client/words.ts';

/** The page of a member with the forms of other features, which are loaded when one is first opened. */

const GiveForm = lazy(() =>
  withWords(import('#web/admin/grants/give-dialog.tsx'), 'admin/grants').then((file) => ({
    default: file.GiveForm,
  })),
);
const ChargebackForm = lazy(() =>
  withWords(import('#web/admin/earning/chargeback-dialog.tsx'), 'admin/earning').then((file) => ({
    default: file.ChargebackForm,
  })),
);

const forms: MoneyForms = {
  grant: (props) => <GiveForm place="sheet" {...props} />,
  chargeback: ({ memberId, onClose }) => (
    <ChargebackForm place="sheet" kind="manual" member={memberId} onClose={onClose} />
  ),
};

export const MemberPage = () => <Page forms={forms} />;
