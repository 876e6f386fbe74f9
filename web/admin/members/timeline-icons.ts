import {
  type Icon,
  IconArrowBackUp,
  IconCalendarCheck,
  IconCheck,
  IconClipboardText,
  IconClock,
  IconCoin,
  IconDeviceMobile,
  IconGift,
  IconHandStop,
  IconLockOpen,
  IconLogin2,
  IconMessage2,
  IconShieldLock,
  IconTrash,
  IconUserCog,
  IconUserPlus,
  IconUsers,
  IconWallet,
  IconX,
} from '@tabler/icons-react';
import type { TimelineKind } from '#contract/timeline.ts';

/** The look of a line: `look` for what an operator may have to look at, `now` for money that moves. */
type Look = { icon: Icon; tone?: 'look' | 'now' };

const looks: Record<TimelineKind, Look> = {
  earning: { icon: IconClipboardText },
  reversal: { icon: IconArrowBackUp, tone: 'look' },
  bonus: { icon: IconCalendarCheck },
  referral: { icon: IconUsers },
  'coinflip-stake': { icon: IconCoin },
  'coinflip-prize': { icon: IconCoin },
  grant: { icon: IconGift },
  withdrawal: { icon: IconWallet, tone: 'now' },
  'withdrawal-return': { icon: IconArrowBackUp },
  'withdrawal-approved': { icon: IconCheck },
  'withdrawal-rejected': { icon: IconX },
  'withdrawal-paid': { icon: IconCheck },
  'earning-held': { icon: IconClock },
  'earning-rejected': { icon: IconX },
  login: { icon: IconLogin2 },
  'new-device': { icon: IconDeviceMobile, tone: 'look' },
  security: { icon: IconShieldLock, tone: 'look' },
  suspended: { icon: IconHandStop, tone: 'look' },
  lifted: { icon: IconLockOpen },
  ticket: { icon: IconMessage2 },
  act: { icon: IconUserCog },
  joined: { icon: IconUserPlus },
  deleted: { icon: IconTrash },
};

export const iconOf = (kind: TimelineKind): Look => looks[kind];
