import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { ClaimForm } from './claim-form.tsx';

type ClaimDialogProps = {
  isOpen: boolean;
  /** What is chosen first. */
  activityId?: string | undefined;
  onClose: () => void;
};

/** The form of a claim in a dialog. */
export function ClaimDialog({ isOpen, activityId, onClose }: ClaimDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('claims.form.title')} width={520}>
      {isOpen && <ClaimForm activityId={activityId} onClose={onClose} />}
    </Dialog>
  );
}
