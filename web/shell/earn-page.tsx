import { useMemo } from 'react';
import { readClaims } from '#contract/claims.ts';
import { ClaimDialog } from '#web/claims/claim-dialog.tsx';
import { useRead } from '#web/client/use-call.ts';
import { EarnPage as Page } from '#web/earning/earn-page.tsx';
import { MemberClaims } from './member-claims.tsx';

/** The page of providers with the member’s claims and the form of a new one. */
export function EarnPage() {
  const { data: claims } = useRead(readClaims);
  const claimedIds = useMemo(() => new Set(claims?.map(({ activityId }) => activityId)), [claims]);
  return <Page ClaimDialog={ClaimDialog} claims={<MemberClaims place="page" />} claimedIds={claimedIds} />;
}
