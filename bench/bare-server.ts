import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { openDatabase, sql } from '#platform/database.ts';

/**
 * The baseline for routes: the same framework without the product. `/json` answers what the current user's route
 * answers, `/row/:id` reads one row by its primary key over a pool like the product's.
 */
const database = openDatabase({ url: process.env.BENCH_DATABASE_URL ?? '', connectionsMax: 16 });
const app = Fastify();

const user = {
  id: '500000000',
  firstName: 'Bench',
  lastName: null,
  email: 'bench0@example.com',
  role: 'user',
  profileImageUrl: null,
  createdAt: '2025-01-01T00:00:00.000Z',
  referralCode: 'bench0',
  chatTheme: 'default',
  chatBubbleColor: '#3B82F6',
  chatTextColor: '#FFFFFF',
  phoneVerified: false,
  phoneNumber: null,
};

app.get('/json', async () => user);
app.get('/row/:id', async (request) => {
  const { id } = request.params as { id: string };
  const wallet = await database.one<{ balance: bigint; movement_count: bigint; today: string }>(
    sql`select balance, movement_count, today from ledger.wallets where member_id = ${Number(id)}`,
  );
  return { id, balance: String(wallet.balance), count: String(wallet.movement_count), today: wallet.today };
});

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.((app.server.address() as AddressInfo).port);
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit(0);
});
