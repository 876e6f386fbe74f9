import { ActionIcon } from '@mantine/core';
import { IconPalette, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChatTab } from '#web/chat/chat-tab.tsx';
import { LineStatus } from '#web/chat/line-status.tsx';
import { useChannels } from '#web/chat/use-channels.ts';
import { usePresence } from '#web/chat/use-presence.ts';
import { ClaimForm } from '#web/claims/claim-form.tsx';
import { withWords } from '#web/client/words.ts';
import { SupportTab } from '#web/support/support-tab.tsx';
import { MemberClaims } from './member-claims.tsx';
import styles from './side-panel.module.css';
import { type OpenTalk, TicketTalk } from './ticket-talk.tsx';
import { useClosing } from './use-closing.ts';
import type { SidePanelState } from './use-side-panel.ts';

const ThemeDialog = lazy(() =>
  withWords(import('#web/members/theme-dialog.tsx'), 'members').then((file) => ({
    default: file.ThemeDialog,
  })),
);

const tabs = ['general', 'support'] as const;
type Tab = (typeof tabs)[number];

/** Chat and support, beside the page and not modal: the page can be used meanwhile. */
export function SidePanel({ panel }: { panel: SidePanelState }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('general');
  const [generalUnread, setGeneralUnread] = useState(0);
  const element = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [ticketId, setTicketId] = useState<string | null>(null);
  const [openTalk, setOpenTalk] = useState<OpenTalk | null>(null);
  const answers = useUnreadAnswers(openTalk);
  const { close, isByKeyboard, setUnread } = panel;
  usePresence();
  useClosing(element, close);
  useEffect(() => setUnread(generalUnread + answers), [setUnread, generalUnread, answers]);
  useEffect(() => {
    if (isByKeyboard) (field.current ?? element.current)?.focus({ preventScroll: true });
  }, [isByKeyboard]);

  return (
    <aside
      ref={element}
      id="side-panel"
      className={styles.panel}
      aria-label={t('nav.sidePanel')}
      tabIndex={-1}
    >
      <div className={styles.head}>
        <Tabs tab={tab} onChange={setTab} answers={answers} />
        {tab === 'general' && <ThemeButton />}
        <ActionIcon aria-label={t('nav.closeSidePanel')} onClick={() => close(true)}>
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
      </div>
      <div
        className={styles.contents}
        role="tabpanel"
        id="side-panel-contents"
        aria-labelledby={`tab-${tab}`}
      >
        {tab === 'general' ? (
          <ChatTab fieldRef={field} onUnread={setGeneralUnread} />
        ) : (
          <>
            <LineStatus slowModeSeconds={0} />
            <SupportTab
              openId={ticketId}
              onOpen={setTicketId}
              claims={<MemberClaims place="panel" />}
              drawClaim={(onClose) => <ClaimForm onClose={onClose} />}
              drawTalk={(ticket, between) => (
                <TicketTalk key={ticket.id} ticket={ticket} onTalk={setOpenTalk}>
                  {between}
                </TicketTalk>
              )}
            />
          </>
        )}
      </div>
    </aside>
  );
}

/** How many answers to the member's requests are unread. The conversation that is open knows what is in sight. */
function useUnreadAnswers(open: OpenTalk | null): number {
  const channels = useChannels().data ?? [];
  return channels
    .filter(({ id, type }) => type === 'support' && id !== open?.channelId)
    .reduce((sum, { unread }) => sum + unread, open?.unread ?? 0);
}

type TabsProps = { tab: Tab; onChange: (tab: Tab) => void; answers: number };

function Tabs({ tab, onChange, answers }: TabsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const takeKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next = tab === 'general' ? 'support' : 'general';
    onChange(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label={t('nav.channel')} onKeyDown={takeKey}>
      {tabs.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`tab-${one}`}
          aria-selected={one === tab}
          aria-controls="side-panel-contents"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onChange(one)}
        >
          {t(`nav.channels.${one}`)}
          {one === 'support' && answers > 0 && (
            <span className={`num ${styles.count}`}>
              {answers}
              <span className="visually-hidden"> {t('nav.newAnswers', { count: answers })}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Opens the choice of colours of one's own messages. */
function ThemeButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [wasWanted, setWanted] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <ActionIcon
        aria-label={t('nav.chatColours')}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <IconPalette size={20} stroke={1.75} />
      </ActionIcon>
      {wasWanted && (
        <Suspense>
          <ThemeDialog isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
