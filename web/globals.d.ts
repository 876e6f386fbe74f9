import type access from './access/words.en.json';
import type adminAccess from './admin/access/words.en.json';
import type adminAnnouncements from './admin/announcements/words.en.json';
import type adminAuditTrail from './admin/audit-trail/words.en.json';
import type adminBroadcasts from './admin/broadcasts/words.en.json';
import type adminCatalogue from './admin/catalogue/words.en.json';
import type adminChat from './admin/chat/words.en.json';
import type adminClaims from './admin/claims/words.en.json';
import type adminDecisions from './admin/decisions/words.en.json';
import type adminEarning from './admin/earning/words.en.json';
import type adminGrants from './admin/grants/words.en.json';
import type adminKit from './admin/kit/words.en.json';
import type adminLedger from './admin/ledger/words.en.json';
import type adminMembers from './admin/members/words.en.json';
import type adminOverview from './admin/overview/words.en.json';
import type adminPanel from './admin/panel/words.en.json';
import type adminPostbacks from './admin/postbacks/words.en.json';
import type adminRisk from './admin/risk/words.en.json';
import type adminSettings from './admin/settings/words.en.json';
import type adminSupport from './admin/support/words.en.json';
import type adminWithdrawals from './admin/withdrawals/words.en.json';
import type analytics from './analytics/words.en.json';
import type announcements from './announcements/words.en.json';
import type bonus from './bonus/words.en.json';
import type chat from './chat/words.en.json';
import type claims from './claims/words.en.json';
import type client from './client/words.en.json';
import type coinflip from './coinflip/words.en.json';
import type decisions from './decisions/words.en.json';
import type earning from './earning/words.en.json';
import type home from './home/words.en.json';
import type landing from './landing/words.en.json';
import type ledger from './ledger/words.en.json';
import type members from './members/words.en.json';
import type notices from './notices/words.en.json';
import type offline from './offline/words.en.json';
import type referrals from './referrals/words.en.json';
import type { TitleKey } from './shell/page-title.tsx';
import type shell from './shell/words.en.json';
import type support from './support/words.en.json';
import type withdrawals from './withdrawals/words.en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof access &
        typeof adminAccess &
        typeof adminAnnouncements &
        typeof adminAuditTrail &
        typeof adminBroadcasts &
        typeof adminKit &
        typeof adminLedger &
        typeof adminCatalogue &
        typeof adminChat &
        typeof adminClaims &
        typeof adminDecisions &
        typeof adminEarning &
        typeof adminGrants &
        typeof adminOverview &
        typeof adminPanel &
        typeof adminPostbacks &
        typeof adminMembers &
        typeof adminRisk &
        typeof adminSettings &
        typeof adminSupport &
        typeof adminWithdrawals &
        typeof analytics &
        typeof announcements &
        typeof bonus &
        typeof chat &
        typeof claims &
        typeof client &
        typeof decisions &
        typeof coinflip &
        typeof earning &
        typeof home &
        typeof landing &
        typeof ledger &
        typeof members &
        typeof notices &
        typeof offline &
        typeof referrals &
        typeof shell &
        typeof support &
        typeof withdrawals;
    };
    returnNull: false;
  }
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title of the browser tab, followed by the site's name. */
    title?: TitleKey;
  }
}

declare global {
  /** Set by the build: the optional pages that have Markdown. */
  const __MORE_PAGES__: readonly ('blog' | 'careers')[];
  /** Set by the build of the documents: the background colour of the light scheme, from the tokens. */
  const __PAPER_COLOR__: string;
}
