import type { PaymentStatus, StoredPayment } from '../rail.ts';
import { type CoinArtifact, readArtifact, writeArtifact } from './artifact.ts';
import type { CoinWallet, RivalOutcome } from './wallet.ts';

/**
 * What became of a payment: by the wallet, and where the wallet does not know it or calls it conflicted, by the rival
 * that spent its coins. Until a rival is certain, the payment counts as absent, for it may still be sent: a rival
 * that is in no block, or whose block is undone, spends nothing.
 */
export async function inspectPayment(
  wallet: CoinWallet,
  payment: StoredPayment,
  confirmationsWanted: number,
): Promise<PaymentStatus> {
  const status = await wallet.status(payment.reference);
  if (status.kind === 'unknown') return status;
  if (status.kind === 'known') {
    if (status.confirmations >= confirmationsWanted) return { kind: 'settled' };
    // A node forgets a payment that waits too long for a block.
    return { kind: 'pending', mayBeForgotten: status.confirmations === 0 };
  }
  const artifact = readArtifact(payment.artifact);
  const rival = await wallet.findRival(artifact.inputs, artifact.afterBlock, payment.destination);
  if (rival.kind === 'unknown') return { kind: 'absent', reason: rival.reason };
  if (rival.kind === 'rival') return statusOf(rival, payment, artifact, confirmationsWanted);
  const reason =
    status.kind === 'conflicted' ? `Another payment spent its coins, ${status.depth} blocks deep.` : null;
  return { kind: 'absent', reason };
}

/**
 * Only a rival that paid the member nothing and lies as deep as a payment must to count makes the payment fail. One
 * that paid exactly the amount stands in for it, as when an operator sent a stuck payment anew by hand; any other
 * amount is an operator's to settle.
 */
function statusOf(
  rival: Extract<RivalOutcome, { kind: 'rival' }>,
  payment: StoredPayment,
  artifact: CoinArtifact,
  confirmationsWanted: number,
): PaymentStatus {
  const { transactionId, bytesHex, inputs, depth, paidUnits } = rival;
  if (transactionId === payment.reference) return { kind: 'pending', mayBeForgotten: true };
  if (paidUnits > 0n) {
    const by = { reference: transactionId, artifact: writeArtifact({ ...artifact, bytesHex, inputs }) };
    const isExact = paidUnits === payment.amountUnits;
    const reason = isExact
      ? `${transactionId} spent its coins and waits for a block.`
      : `${transactionId} spent its coins and pays the same address another amount.`;
    return { kind: 'replaced', by, isSame: isExact && depth > 0, reason };
  }
  if (depth >= confirmationsWanted)
    return { kind: 'failed', reason: 'The payout can’t be completed: its coins were spent otherwise.' };
  return { kind: 'absent', reason: `${transactionId} spent its coins, ${depth} blocks deep.` };
}
