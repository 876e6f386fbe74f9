import { IconBell, IconMessageCircle } from '@tabler/icons-react';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import pill from '#web/ui/balance-pill.module.css';
import { CoinGlyph } from '#web/ui/coin-glyph.tsx';
import bottomBar from './bottom-bar.module.css';
import chatButtons from './chat-buttons.module.css';
import styles from './frame-skeleton.module.css';
import frame from './member-area.module.css';
import { bottomLinks, LINKS_BEFORE_CHAT, topLinks } from './navigation.ts';
import topBar from './top-bar.module.css';
import userMenu from './user-menu.module.css';

/** The links of the bottom bar, with the button of the chat. */
const bottomPlaces = bottomLinks
  .map(({ to, icon }) => ({ to: String(to), icon }))
  .toSpliced(LINKS_BEFORE_CHAT, 0, { to: 'chat', icon: IconMessageCircle });

/**
 * The skeleton of a member's screen: rendered into the document at build time, replaced by the first screen. It has the
 * positions and sizes of the real frame and no text, so that it is the same for every member and language.
 * `build/first-scripts.ts` fills in the balance only. It is hidden from the keyboard and screen readers.
 */
export function FrameSkeleton({ path, children }: { path: string; children: ReactNode }) {
  return (
    <div className={clsx(frame.frame, styles.frame)} aria-hidden="true" data-waiting>
      <header className={topBar.bar}>
        <div className={`wrap ${topBar.inner}`}>
          <span className={styles.menu}>
            <span className={styles.bar} style={{ width: 18, height: 14 }} />
          </span>
          <span className={topBar.brand}>
            <span className={styles.bar} style={{ width: 104, height: 18 }} />
          </span>
          <div className={topBar.nav}>
            {topLinks.map(({ to }) => (
              <span
                key={to}
                className={styles.bar}
                style={{ width: 56, height: 12, margin: 'auto var(--e-space-12)' }}
              />
            ))}
          </div>
          <span className={`${topBar.bell} ${topBar.chat}`}>
            <IconMessageCircle size={20} stroke={1.75} />
          </span>
          <span className={topBar.bell}>
            <IconBell size={20} stroke={1.75} />
          </span>
          <span className={`num ${pill.pill}`}>
            <CoinGlyph />
            <span className={pill.unknown} />
            <template data-balance>
              <span>
                <span data-points />
                {'\u00a0P'}
              </span>
            </template>
          </span>
          <span className={userMenu.avatar} />
        </div>
      </header>
      <div className={frame.banner} />
      <main className="wrap">{children}</main>
      <div className={bottomBar.bar}>
        {bottomPlaces.map(({ to, icon: Icon }) => (
          // No href: it only takes the place of the link.
          // biome-ignore lint/a11y/useValidAnchor: as above.
          <a key={to} aria-current={to === path ? 'page' : undefined}>
            <Icon size={20} stroke={1.75} />
            <span className={clsx(styles.bar, styles.label)} />
          </a>
        ))}
      </div>
      <span className={chatButtons.floating}>
        <IconMessageCircle size={20} stroke={1.75} />
        <span className={clsx(styles.bar, styles.label)} />
      </span>
    </div>
  );
}
