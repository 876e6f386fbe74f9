import { type Database, type Reader, sql } from '#platform/database.ts';

/** The messages that the site sent: mails received by SMTP, and text messages. Only the newest 1,000 are kept. */
export type OutboxMessage = {
  id: string;
  kind: 'mail' | 'sms';
  to: string;
  subject: string | null;
  text: string;
  /** The code in a text message. */
  code: string | null;
  createdAt: string;
};

const KEPT_MAX = 1_000;

export async function addToOutbox(
  database: Database,
  message: Omit<OutboxMessage, 'id' | 'createdAt'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { id } = await tx.one<{ id: bigint }>(sql`
      insert into sandbox.outbox (kind, recipient, subject, body, code)
      values (${message.kind}, ${message.to}, ${message.subject}, ${message.text}, ${message.code})
      returning id`);
    await tx.rows(sql`delete from sandbox.outbox where id <= ${id - BigInt(KEPT_MAX)}`);
  });
}

/** Reads all kept messages, oldest first. */
export async function readOutbox(reader: Reader): Promise<OutboxMessage[]> {
  const rows = await reader.rows<Omit<OutboxMessage, 'createdAt'> & { createdAt: Date }>(sql`
    select id::text as id, kind, recipient as "to", subject, body as text, code, created_at as "createdAt"
    from sandbox.outbox order by outbox.id`);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}
