import { IconCoins, IconHistory, IconHome, IconWallet } from '@tabler/icons-react';

export const bottomLinks = [
  { to: '/', label: 'nav.home', icon: IconHome, exact: true },
  { to: '/earn', label: 'nav.earn', icon: IconCoins, exact: false },
  { to: '/history', label: 'nav.history', icon: IconHistory, exact: false },
  { to: '/withdrawal', label: 'nav.withdraw', icon: IconWallet, exact: false },
] as const;

/** The phone's bottom bar has the button of the chat after so many links. */
export const LINKS_BEFORE_CHAT = 2;

export const topLinks = [
  ...bottomLinks.map(({ to, label, exact }) => ({ to, label, exact })),
  { to: '/referrals', label: 'nav.referrals', exact: false },
] as const;

/** The operators' start page; its URL is unlisted. */
export const PANEL_PATH = '/management-panel-x7k9w';
export const TICKETS_PATH = '/management-panel-x7k9w/support';
