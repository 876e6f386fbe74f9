import { useTranslation } from 'react-i18next';
import { useKeys } from '#web/admin/kit/keys.ts';
import { type MemberAct, type MemberTab, memberTabs } from '#web/client/member-search.ts';

type Doing = {
  acts: readonly MemberAct[];
  open: (act: MemberAct | undefined) => void;
  show: (tab: MemberTab) => void;
};

/** The keys of a member's page. They open forms and parts; none of them acts. */
export function useMemberKeys({ acts, open, show }: Doing): void {
  const { t } = useTranslation();
  const formKeys = [
    { hotkey: 'shift+G', act: 'grant', caps: ['Shift', 'G'] },
    { hotkey: 'shift+S', act: 'suspend', caps: ['Shift', 'S'] },
    { hotkey: 'E', act: 'message', caps: ['E'] },
  ] as const;
  const taken = formKeys.filter(({ act }) => acts.includes(act));
  useKeys(
    [
      ...taken.map(({ hotkey, act }) => ({ hotkey, act: () => open(act) })),
      { hotkey: 'W', act: () => show('withdrawals') },
      ...memberTabs.map((tab, index) => ({ hotkey: String(index + 1), act: () => show(tab) })),
      { hotkey: 'Escape', act: () => open(undefined), keepsDefault: true },
    ],
    {
      title: t('member.keys.title'),
      lines: [
        { label: t('member.keys.parts'), caps: ['1–7'], isOnStrip: true },
        ...taken.map(({ act, caps }) => ({
          label: t(`member.acts.${act}.open`),
          caps,
          isOnStrip: true as const,
        })),
        { label: t('member.tabs.withdrawals'), caps: ['W'], isOnStrip: true },
        { label: t('member.keys.back'), caps: ['Esc'], isOnStrip: true },
      ],
    },
  );
}
