/**
 * The combinations of language, colour scheme, device and width in which a screen is tested. `npm test` takes one of
 * them for each screen or part, in turn, so that together they have all values of each; `npm run campaign -- screens`
 * takes all.
 */
export const isCampaign = process.env.CAMPAIGN_RUNS !== undefined;

/** All items in a campaign, else the one whose turn it is. */
export const ofTurn = <Item>(items: readonly Item[], turn: number): readonly Item[] =>
  isCampaign ? items : items.slice(turn % items.length).slice(0, 1);
