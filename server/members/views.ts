import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import * as contract from '#contract/members-views.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { lockRole } from './queries.ts';
import * as queries from './view-queries.ts';

/**
 * The views of operators' lists: filters, search and sort of a screen under a name. Each operator has views of their
 * own, and nobody else reads them. The server keeps the query as a text; the screen leaves out what it doesn't know.
 */
const viewOf = ({ id, ...view }: queries.ViewRow): contract.SavedView => ({ id: String(id), ...view });

/** Reads an operator's views of all screens, in the order of saving. */
export const readViews = async (
  reader: Reader,
  operatorId: number,
): Promise<ReplyOf<typeof contract.readViews>> => (await queries.readViews(reader, operatorId)).map(viewOf);

/**
 * Saves a view. One of the same name on the screen gets the new query.
 * @throws Refusal `views-full`
 */
export const saveView = (
  database: Database,
  operatorId: number,
  view: BodyOf<typeof contract.saveView>,
): Promise<contract.SavedView> =>
  database.transaction(async (tx) => {
    // Of two calls of an operator the second waits, so that the number of views holds.
    await lockRole(tx, operatorId);
    const views = await queries.readViewsOf(tx, operatorId, view.screen);
    const found = views.find(({ name }) => name === view.name);
    if (found?.query === view.query) return viewOf(found);
    if (found === undefined && views.length >= contract.VIEWS_MAX) throw refuse('views-full');
    const saved = await storeView(tx, operatorId, view, found);
    await recordActs(tx, [
      {
        actor: operatorId,
        act: 'view.save',
        target: { kind: 'view', id: String(saved.id) },
        ...(found === undefined ? {} : { before: { query: found.query } }),
        after: view,
      },
    ]);
    return viewOf(saved);
  });

const storeView = (
  tx: Tx,
  operatorId: number,
  view: BodyOf<typeof contract.saveView>,
  found: queries.ViewRow | undefined,
) =>
  found === undefined
    ? queries.insertView(tx, operatorId, view)
    : queries.changeView(tx, operatorId, found.id, view.query);

/**
 * Removes a view of the operator's own.
 * @throws Refusal `not-found`, also for another operator's view
 */
export const removeView = (database: Database, operatorId: number, id: bigint): Promise<void> =>
  database.transaction(async (tx) => {
    const removed = await queries.deleteView(tx, operatorId, id);
    if (removed === undefined) throw refuse('not-found');
    const { screen, name, query } = removed;
    await recordActs(tx, [
      {
        actor: operatorId,
        act: 'view.remove',
        target: { kind: 'view', id: String(id) },
        before: { screen, name, query },
      },
    ]);
  });
