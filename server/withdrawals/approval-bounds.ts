import type { SiteSettings } from '#contract/site.ts';
import type { Bounds } from './decision-queries.ts';

const pointsOf = (cap: string | null): bigint | null => (cap === null ? null : BigInt(cap));

/** The bounds of approvals that the site's owner has set. */
export const boundsOf = ({ caps, switches }: Pick<SiteSettings, 'caps' | 'switches'>): Bounds => ({
  holdsDestinations: switches.addressHold,
  secondPersonPoints: pointsOf(caps.secondPersonFrom),
  memberDayPoints: pointsOf(caps.memberDay),
  methodDayPoints: pointsOf(caps.methodDay),
});
