import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { formatPoints } from '#web/client/format.ts';
import { type MemberTab, memberTabs } from '#web/client/member-search.ts';
import { MemberDevices } from './member-devices.tsx';
import { LinkedAccounts, MemberFacts } from './member-facts.tsx';
import styles from './member-page.module.css';
import { MemberWithdrawals } from './member-withdrawals.tsx';
import { Timeline } from './timeline.tsx';

type MemberPartsProps = { member: AccountRecord; tab: MemberTab; onTab: (tab: MemberTab) => void };

/** The parts of a member's page. The first one has the facts and one timeline of everything. */
export function MemberParts({ member, tab, onTab }: MemberPartsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  // On a phone the open tab may be beyond the edge of the line.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const opened = list.current?.querySelector('[aria-selected="true"]');
    opened?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [tab]);
  const { id } = member;
  const contents: Record<MemberTab, ReactNode> = {
    timeline: (
      <>
        {member.linkedAccounts.length > 0 && <LinkedAccounts member={member} />}
        <MemberFacts member={member} />
        <Timeline memberId={id} />
      </>
    ),
    money: <Timeline memberId={id} part="money" />,
    withdrawals: <MemberWithdrawals memberId={id} />,
    decisions: <Timeline memberId={id} part="decisions" />,
    tickets: <Timeline memberId={id} part="support" />,
    devices: (
      <>
        <MemberDevices member={member} />
        <Timeline memberId={id} part="access" />
      </>
    ),
    linked: <LinkedAccounts member={member} />,
  };
  const counts: Partial<Record<MemberTab, number>> = {
    devices: member.sessions.length,
    linked: member.linkedAccounts.length,
  };
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(memberTabs.find((one) => one === value) ?? 'timeline')}
      keepMounted={false}
      className={styles.tabs}
    >
      <Tabs.List ref={list} className={styles.tabList} aria-label={t('member.partsOf')}>
        {memberTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`member.tabs.${name}`)}
            {counts[name] !== undefined && (
              <span className={`num ${styles.count}`}> {formatPoints(counts[name])}</span>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {memberTabs.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {contents[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
