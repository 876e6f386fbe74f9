import assert from 'node:assert/strict';
import * as contract from '#contract/withdrawals-methods.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type MethodParts, paymentMethodOf, publishedMethod, unsetRow } from './payment-methods.ts';
import { type MethodRow, methodColumns } from './queries.ts';
import { findDefinition, rails } from './rails/registry.ts';

type Row = { id: string } & { [Field in keyof MethodRow]: MethodRow[Field] | null };

/** The operators' list of payment methods: all registered rails, including those that have no row yet. */
export function paymentMethodList(
  platform: MethodParts,
): OperatorListBinding<typeof contract.readPaymentMethods, Row> {
  const registered = sql`
    unnest(${rails.map(({ id }) => id)}::text[], ${rails.map(({ name }) => name)}::text[]) with ordinality
      as registered (id, name, position)`;
  return {
    endpoint: contract.readPaymentMethods,
    publishedReply: publishedMethod.array(),
    source: {
      table: sql`(select id, name, position from ${registered})`,
      alias: sql`r`,
      key: sql`r.id`,
      withId: ({ text }) => sql`r.id = ${text}`,
      columns: sql`r.id, m.*`,
      joins: sql`left join (select ${methodColumns} from withdrawals.methods) m on m.method = r.id`,
      sorts: { position: [sql`r.position`], name: [sql`r.name`, sql`r.id`] },
      filters: {},
      search: ({ lowerCase }) => sql`
        select id from ${registered} where id = ${lowerCase} or strpos(lower(name), ${lowerCase}) > 0`,
    },
    toReply: ({ id, ...row }) => {
      const definition = findDefinition(id);
      assert(definition, `No rail is registered as ${id}`);
      return paymentMethodOf(platform, {
        definition,
        row: row.method === null ? unsetRow(id) : (row as MethodRow),
      });
    },
  };
}
