import { IconMessageCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import bottomBar from './bottom-bar.module.css';
import styles from './chat-buttons.module.css';
import { loadSidePanel } from './lazy-side-panel.ts';
import topBar from './top-bar.module.css';
import type { SidePanelState } from './use-side-panel.ts';

/** The buttons that open the side panel: in the top bar, in a phone's bottom bar, and one that floats over the page. */

const COUNT_SHOWN_MAX = 99;

type Panel = { panel: SidePanelState };

function useButton({ isOpen, unread, toggle }: SidePanelState) {
  const { t } = useTranslation();
  const shown = unread > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(unread);
  return {
    t,
    shown,
    label: t('nav.chatCount', { count: unread, shown }),
    props: {
      type: 'button',
      'aria-expanded': isOpen,
      onClick: toggle,
      onPointerEnter: () => void loadSidePanel(),
      onFocus: () => void loadSidePanel(),
    } as const,
  };
}

export function TopChatButton({ panel }: Panel) {
  const { label, shown, props } = useButton(panel);
  return (
    <button {...props} className={`${topBar.bell} ${topBar.chat}`} aria-label={label}>
      <IconMessageCircle size={20} stroke={1.75} aria-hidden="true" />
      {panel.unread > 0 && (
        <span className={`num ${topBar.count}`} aria-hidden="true">
          {shown}
        </span>
      )}
    </button>
  );
}

export function BottomChatButton({ panel }: Panel) {
  const { t, label, shown, props } = useButton(panel);
  return (
    <button {...props} aria-label={label}>
      <IconMessageCircle size={20} stroke={1.75} aria-hidden="true" />
      <span aria-hidden="true">{t('nav.chat')}</span>
      {panel.unread > 0 && (
        <span className={`num ${bottomBar.count}`} aria-hidden="true">
          {shown}
        </span>
      )}
    </button>
  );
}

/** Hidden while the panel is open, which stands in its place. */
export function FloatingChatButton({ panel }: Panel) {
  const { t, shown, props } = useButton(panel);
  return (
    <button
      {...props}
      className={styles.floating}
      hidden={panel.isOpen}
      aria-label={t('nav.openChat', { count: panel.unread, shown })}
    >
      <IconMessageCircle size={20} stroke={1.75} aria-hidden="true" />
      <span aria-hidden="true">{t('nav.chat')}</span>
      {panel.unread > 0 && (
        <span className={`num ${styles.count}`} aria-hidden="true">
          {shown}
        </span>
      )}
    </button>
  );
}
