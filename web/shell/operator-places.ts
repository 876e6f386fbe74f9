import {
  type Icon,
  IconArrowBackUp,
  IconBan,
  IconBook2,
  IconBuildingBank,
  IconCash,
  IconClipboardList,
  IconCoinOff,
  IconDownload,
  IconFingerprint,
  IconGauge,
  IconGavel,
  IconGift,
  IconHandStop,
  IconLayoutList,
  IconListCheck,
  IconMessage2,
  IconPackageOff,
  IconSettings,
  IconSpeakerphone,
  IconUserQuestion,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readWaiting } from '#contract/panel.ts';
import { operatorScreens } from '../screens.ts';

/**
 * The places of the operators' rail, in its order within each group. Each screen of `screens.ts` has one entry here:
 * its place, or null for a screen that is reached from another. Its label is `panel.places.<name>` in the words of the
 * shell.
 */
type Place = {
  /** `first` stands above the groups and has no heading. */
  group: 'first' | (typeof placeGroups)[number];
  icon: Icon;
  /** The letter that opens the screen after `G`. */
  letter: string;
  /** Which count of `readWaiting` stands beside the label. */
  waiting?: keyof ReplyOf<typeof readWaiting>;
};
type Name = keyof typeof operatorScreens;

/** The groups with a heading, in their order. */
export const placeGroups = ['toDo', 'members', 'money', 'site'] as const;

const entries = {
  overview: { group: 'first', icon: IconGauge, letter: 'O' },
  queue: { group: 'toDo', icon: IconWallet, letter: 'W', waiting: 'withdrawals' },
  approvals: { group: 'toDo', icon: IconListCheck, letter: 'A', waiting: 'approvals' },
  tickets: { group: 'toDo', icon: IconMessage2, letter: 'T', waiting: 'tickets' },
  claims: { group: 'toDo', icon: IconCoinOff, letter: 'D', waiting: 'claims' },
  registrations: { group: 'toDo', icon: IconUserQuestion, letter: 'R', waiting: 'registrations' },
  quarantine: { group: 'toDo', icon: IconPackageOff, letter: 'Q', waiting: 'quarantine' },
  appeals: { group: 'toDo', icon: IconGavel, letter: 'J', waiting: 'appeals' },
  users: { group: 'members', icon: IconUsers, letter: 'M' },
  member: null,
  suspensions: { group: 'members', icon: IconHandStop, letter: 'U' },
  fraud: { group: 'members', icon: IconFingerprint, letter: 'F' },
  chatModeration: { group: 'members', icon: IconBan, letter: 'H', waiting: 'chatReports' },
  announcements: { group: 'members', icon: IconSpeakerphone, letter: 'I' },
  grants: { group: 'members', icon: IconGift, letter: 'N', waiting: 'grants' },
  chargebacks: { group: 'money', icon: IconArrowBackUp, letter: 'C' },
  payouts: { group: 'money', icon: IconCash, letter: 'Y', waiting: 'payouts' },
  books: { group: 'money', icon: IconBook2, letter: 'B' },
  wallets: { group: 'money', icon: IconBuildingBank, letter: 'V' },
  postbacks: { group: 'money', icon: IconDownload, letter: 'P' },
  catalogue: { group: 'site', icon: IconLayoutList, letter: 'E' },
  config: { group: 'site', icon: IconSettings, letter: 'S' },
  audit: { group: 'site', icon: IconClipboardList, letter: 'L' },
} as const satisfies Record<Name, Place | null>;

/** The names of the screens with a place. */
export type PlaceName = { [One in Name]: (typeof entries)[One] extends null ? never : One }[Name];

export const operatorPlaces = Object.entries<Place | null>(entries).flatMap(([name, place]) =>
  place === null
    ? []
    : [{ ...place, name: name as PlaceName, path: operatorScreens[name as PlaceName].path }],
);
