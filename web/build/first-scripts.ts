import { readUser } from '#contract/access.ts';
import { readLatestAnnouncement } from '#contract/announcements.ts';
import { readStats } from '#contract/ledger.ts';
import { readConfig, readSettings } from '#contract/members.ts';
import { LAST_SEEN_KEY } from '../announcements/last-seen.ts';
import { commaPlaces } from '../client/format.ts';
import { PANEL_PATH } from '../shell/navigation.ts';

/** The inline scripts of a screen's document. They run before any file of the app is loaded. */

/** The calls of every screen, made by the session, the settings and the top bar. */
const callsOfEveryScreen = [readStats, readUser, readConfig, readSettings].map(({ path }) => path);

/** Starts the calls. `client/first-calls.ts` returns their answers to the app. */
export const callsScript = `<script nonce="__CSP_NONCE__">
      window.firstCalls = new Map();
      for (const address of ${JSON.stringify(callsOfEveryScreen)}) {
        const answer = fetch(address, { headers: { accept: 'application/json' }, credentials: 'include' });
        // A failure is handled by the code that uses the answer.
        answer.catch(() => undefined);
        window.firstCalls.set(address, answer);
      }
    </script>`;

/**
 * Keeps the place of the banner of an announcement that the member has not dismissed, and starts the call for it, so
 * that nothing moves when it comes. `web/announcements` keeps the attribute up to date.
 */
export const announcementScript = `<script nonce="__CSP_NONCE__">
      try {
        const { dataset, lang } = document.documentElement;
        const latest = '__ANNOUNCEMENT_ID__';
        const isShown = latest !== '' && latest !== localStorage.getItem('${LAST_SEEN_KEY}');
        if (isShown && !location.pathname.startsWith('${PANEL_PATH}')) {
          dataset.announcement = latest;
          const address = '${readLatestAnnouncement.path}?lang=' + lang;
          const answer = fetch(address, { headers: { accept: 'application/json' }, credentials: 'include' });
          answer.catch(() => undefined);
          window.firstCalls.set(address, answer);
        }
      } catch {
        // Without storage nothing is dismissed or kept.
      }
    </script>`;

/**
 * Shows the balance in the skeleton when its answer arrives, on a slow phone seconds before the app. Each place is a
 * template after its bar, with an element for the points.
 */
export const balanceScript = `<script nonce="__CSP_NONCE__">
      const showBalance = async (answer) => {
        if (!answer.ok) return;
        const { balance } = await answer.clone().json();
        const points = balance.startsWith('-') ? '0' : balance.replace(${commaPlaces}, ',');
        for (const { content, previousElementSibling, parentElement } of document.querySelectorAll('[data-balance]')) {
          content.querySelector('[data-points]').textContent = points;
          if (points.length > 9) parentElement.dataset.long = 'true';
          previousElementSibling.replaceWith(content);
        }
        // The task after an animation frame runs when that frame is painted.
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      };
      // The app uses the same answer and shows a failure.
      window.balancePainted = window.firstCalls.get('${readStats.path}').then(showBalance).catch(() => undefined);
    </script>`;

const BALANCE_WAIT_MS = 500;

/**
 * Runs the app when the balance is painted, or at the latest after half a second. A slow phone needs 350 ms to run the
 * app, and paints nothing meanwhile. The script follows the app’s style sheets, so it waits for them.
 * @param path the app's module
 */
export const startScript = (path: string): string => `<script nonce="__CSP_NONCE__">
      Promise.race([window.balancePainted, new Promise((done) => setTimeout(done, ${BALANCE_WAIT_MS}))])
        .then(() => import('${path}'));
    </script>`;
