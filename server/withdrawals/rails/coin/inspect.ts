import { sentence } from '#contract/operator-sentences.ts';
import type { PaymentStatus, StoredPayment } from '../rail.ts';
import { findDeadAncestor } from './ancestors.ts';
import { type CoinArtifact, findArtifact, UNREADABLE_ARTIFACT, writeArtifact } from './artifact.ts';
import type { CoinWallet, RivalOutcome } from './wallet.ts';

/**
 * Reads the status of a payment from the wallet. If the wallet does not know the payment or reports a conflict, it
 * searches for the rival that spent its coins. Until a rival is certain, the payment counts as absent and may be sent
 * again, because a rival outside a block, or in a block that is reorganised away, spends nothing. Without a rival of
 * its own, the payments before it may have one: it spends their change, which then never exists.
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
    if (status.confirmations > 0) return { kind: 'pending', mayBeForgotten: false, reason: null };
    return inspectUnconfirmed(wallet, payment, confirmationsWanted);
  }
  const artifact = findArtifact(payment.artifact);
  if (artifact === undefined) return { kind: 'unknown', reason: UNREADABLE_ARTIFACT };
  const rival = await wallet.findRival(artifact.inputs, artifact.afterBlock, payment.destination);
  if (rival.kind === 'unknown') return { kind: 'absent', reason: rival.reason };
  if (rival.kind === 'rival') return statusOf(rival, payment, artifact, confirmationsWanted);
  const dead = await findDeadAncestor(wallet, artifact.inputs);
  if (dead.kind === 'unknown') return { kind: 'absent', reason: dead.reason };
  if (dead.kind === 'dead') {
    const reason = reasonOf(dead);
    return dead.depth >= confirmationsWanted ? { kind: 'lapsed', reason } : { kind: 'absent', reason };
  }
  const reason =
    status.kind === 'conflicted' ? sentence('coins-spent-deep', { blockCount: status.depth }) : null;
  return { kind: 'absent', reason };
}

/** A payment in no block. A node drops one that waits too long, and one whose ancestor was replaced. */
async function inspectUnconfirmed(
  wallet: CoinWallet,
  payment: StoredPayment,
  confirmationsWanted: number,
): Promise<PaymentStatus> {
  const mempool = await wallet.findInMempool(payment.reference);
  if (mempool.kind === 'inside') return { kind: 'pending', mayBeForgotten: false, reason: null };
  const pending = (reason: string | null): PaymentStatus => ({
    kind: 'pending',
    mayBeForgotten: true,
    reason,
  });
  if (mempool.kind === 'unknown') return pending(mempool.reason);
  const artifact = findArtifact(payment.artifact);
  if (artifact === undefined) return pending(UNREADABLE_ARTIFACT);
  const dead = await findDeadAncestor(wallet, artifact.inputs);
  if (dead.kind === 'unknown') return pending(dead.reason);
  if (dead.kind === 'alive') return pending(null);
  const reason = reasonOf(dead);
  return dead.depth >= confirmationsWanted ? { kind: 'lapsed', reason } : pending(reason);
}

const reasonOf = ({ transactionId, depth }: { transactionId: string; depth: number }): string =>
  sentence('change-replaced', { transactionId, blockCount: depth });

/**
 * The status of a payment with a rival. A rival that pays exactly the amount replaces the payment, for example if an
 * operator sent a stuck payment again manually. A rival that pays the member another amount is left to an operator. The
 * payment fails only if the rival pays the member nothing and has the required confirmations.
 */
function statusOf(
  rival: Extract<RivalOutcome, { kind: 'rival' }>,
  payment: StoredPayment,
  artifact: CoinArtifact,
  confirmationsWanted: number,
): PaymentStatus {
  const { transactionId, bytesHex, inputs, depth, paidUnits } = rival;
  if (transactionId === payment.reference) return { kind: 'pending', mayBeForgotten: true, reason: null };
  if (paidUnits > 0n) {
    const by = { reference: transactionId, artifact: writeArtifact({ ...artifact, bytesHex, inputs }) };
    const isExact = paidUnits === payment.amountUnits;
    const isFinal = depth >= confirmationsWanted;
    const reason = isExact
      ? sentence('coins-spent-waiting', { transactionId })
      : sentence('coins-spent-other-amount', { transactionId });
    return { kind: 'replaced', by, isSame: isExact && depth > 0, isFinal, reason };
  }
  if (depth >= confirmationsWanted) return { kind: 'failed', reason: sentence('coins-spent-otherwise') };
  return { kind: 'absent', reason: sentence('coins-spent-by', { transactionId, blockCount: depth }) };
}
