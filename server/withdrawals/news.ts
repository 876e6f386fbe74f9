import type { Platform } from '#platform/platform.ts';
import { findNews } from './queries.ts';

/**
 * Tells the member's browsers the state of a withdrawal, after the commit that changed it. It never fails, because the
 * change is booked: a browser that misses it reads the state at its next call.
 */
export async function announceWithdrawal(
  { database, bus, log }: Pick<Platform, 'database' | 'bus' | 'log'>,
  id: string,
): Promise<void> {
  try {
    const { memberId, status, payoutState, reference } = await findNews(database, id);
    bus.announce({ memberId, event: { type: 'withdrawal', id, status, payoutState, txId: reference } });
  } catch (error) {
    log.warn({ error, withdrawal: id }, 'the state of a withdrawal was not announced');
  }
}
