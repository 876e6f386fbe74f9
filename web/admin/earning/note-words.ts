import { useTranslation } from 'react-i18next';
import type { ReasonWords } from '#web/admin/kit/reason-dialog.tsx';

/** The texts of the note that a rejection needs. */
export function useNoteWords(): ReasonWords {
  const { t } = useTranslation();
  return {
    label: t('approvals.reject.note'),
    help: t('approvals.reject.help'),
    required: `${t('approvals.noteRequired')}: ${t('approvals.noteRequiredText')}`,
  };
}
