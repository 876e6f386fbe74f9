import { IconCoins, IconHistory, IconHome, IconWallet } from '@tabler/icons-react';

/** The member's screens in the order of the menu. */
export const memberLinks = [
  { to: '/', label: 'nav.home', icon: IconHome, exact: true },
  { to: '/earn', label: 'nav.earn', icon: IconCoins, exact: false },
  { to: '/history', label: 'nav.history', icon: IconHistory, exact: false },
  { to: '/withdrawal', label: 'nav.withdraw', icon: IconWallet, exact: false },
] as const;

/** The operators' start page: one address, known to nobody else. */
export const PANEL_PATH = '/management-panel-x7k9w';
