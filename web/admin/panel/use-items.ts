import {
  type Icon,
  IconArrowBarToDown,
  IconArrowUpRight,
  IconCornerDownRight,
  IconDownload,
  IconMessage2,
  IconPackageOff,
  IconUser,
  IconUserQuestion,
  IconWallet,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Found } from '#contract/panel.ts';
import { isNameLike } from '#web/admin/kit/name-like.ts';
import type { SheetAct } from '#web/admin/kit/use-sheet-key.ts';
import { formatPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { type Item, type ItemGroup, matches } from './items.ts';
import type { Place } from './places.ts';
import { readRecent, rememberRecent } from './recent.ts';
import { type Search, useSearch } from './use-search.ts';

const icons: Record<Found['kind'], Icon> = {
  member: IconUser,
  withdrawal: IconWallet,
  transaction: IconArrowUpRight,
  earning: IconArrowBarToDown,
  postback: IconDownload,
  quarantine: IconPackageOff,
  ticket: IconMessage2,
  registration: IconUserQuestion,
};

/** What was typed: after `>` only commands are meant, after `@` only members. */
function meaningOf(typed: string) {
  const [sign] = typed;
  const scope = sign === '>' ? 'commands' : sign === '@' ? 'members' : 'all';
  return { scope, text: (scope === 'all' ? typed : typed.slice(1)).trim() } as const;
}

type Sources = { places: readonly Place[]; commands: readonly Item[]; acts: readonly SheetAct[] };

/** The lines of the palette for what was typed, in groups without empty ones, and how the search stands. */
export function useItems(
  typed: string,
  { places, commands, acts }: Sources,
): { groups: ItemGroup[]; state: Search['state']; nothing: string } {
  const { t } = useTranslation();
  const router = useRouter();
  const { id: operatorId } = useMember();
  const { scope, text } = meaningOf(typed);
  const { found, state } = useSearch(scope === 'commands' ? '' : text);

  const itemOf = (one: Found): Item => ({
    key: `${one.kind}:${one.id}:${one.link}`,
    icon: icons[one.kind],
    title: one.isAll
      ? t(`palette.${one.kind === 'member' ? 'allNamed' : 'allWith'}`, { text: one.title })
      : one.title,
    note: one.isAll ? t(`palette.kinds.${one.kind}`) : `${t(`palette.kinds.${one.kind}`)} ${one.id}`,
    link: one.link,
    run: () => {
      if (!one.isAll) rememberRecent(operatorId, one);
      router.history.push(one.link);
    },
  });
  const placeItems = places.map(
    ({ name, label, path, icon, letter, count }): Item => ({
      key: name,
      icon,
      title: label,
      note: count === 0 ? undefined : t('palette.waiting', { count, shown: formatPoints(count) }),
      caps: ['G', letter],
      link: path,
      run: () => router.history.push(path),
    }),
  );
  const actItems = acts.map(
    ({ label, caps, isSequence, act }): Item => ({
      key: `act:${label}`,
      icon: IconCornerDownRight,
      title: label,
      note: isSequence === true ? t('palette.thenEnter') : undefined,
      caps,
      // The dialog that it opens, or the button that it goes to, has the focus after the palette gave it back.
      run: () => void setTimeout(act),
    }),
  );
  const named = (items: readonly Item[]) => items.filter(({ title }) => matches(text, title));
  const ofKind = (wanted: (kind: Found['kind']) => boolean) =>
    found.filter(({ kind }) => wanted(kind)).map(itemOf);

  const groups = {
    all: [
      { title: t('palette.recent'), items: text === '' ? readRecent(operatorId).map(itemOf) : [] },
      { title: t('palette.found'), items: ofKind((kind) => kind !== 'member') },
      { title: t('palette.members'), items: ofKind((kind) => kind === 'member') },
      { title: t('palette.withRow'), items: named(actItems) },
      { title: t('palette.places'), items: named(placeItems) },
      { title: t('palette.commands'), items: named(commands) },
    ],
    members: [{ title: t('palette.members'), items: ofKind((kind) => kind === 'member') }],
    commands: [
      { title: t('palette.withRow'), items: named(actItems) },
      { title: t('palette.commands'), items: named(commands) },
    ],
  }[scope];
  const unknown = isNameLike(text) ? 'noName' : 'nothing';
  const unasked = scope === 'commands' ? 'noCommand' : 'short';
  const nothing = t(`palette.${state === 'idle' ? unasked : unknown}`);
  return { groups: groups.filter(({ items }) => items.length > 0), state, nothing };
}
