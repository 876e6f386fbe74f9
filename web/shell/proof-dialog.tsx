import { ClaimForm } from '#web/claims/claim-form.tsx';
import { RequestDialog } from '#web/support/request-dialog.tsx';

type ProofDialogProps = { isOpen: boolean; onClose: () => void };

/** A support request about a credit whose claim was turned down. */
export function ProofDialog({ isOpen, onClose }: ProofDialogProps) {
  return (
    <RequestDialog
      isOpen={isOpen}
      onClose={onClose}
      writtenAbout="credit"
      drawClaim={(close) => <ClaimForm onClose={close} />}
    />
  );
}
