import { Link } from '@tanstack/react-router';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { shortenMiddle } from '#web/client/format.ts';
import styles from './target-link.module.css';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The screen that shows what an act changed, by the first word of the act. */
const screens = {
  withdrawal: '/management-panel-x7k9w/withdrawals',
  payout: '/management-panel-x7k9w/withdrawals',
  ticket: '/management-panel-x7k9w/support',
} as const;

/** The place of a target; undefined if no screen shows it, as for a payment that an act of payouts names. */
function screenOf({ action, target }: RecordedAct) {
  const [kind = ''] = action.split('.');
  const screen = screens[kind as keyof typeof screens];
  return UUID.test(target) ? screen : undefined;
}

/** What an act changed, as a link if a screen shows it. */
export function TargetLink({ act, isShort = false }: { act: RecordedAct; isShort?: boolean }) {
  const { target } = act;
  const screen = screenOf(act);
  const text = isShort ? shortenMiddle(target) : target;
  if (screen === undefined)
    return (
      <span className="mono" title={target}>
        {text}
      </span>
    );
  return (
    <Link
      to={screen}
      search={{ open: target }}
      className={`mono ${styles.link}`}
      title={target}
      // The row around it would open its sheet.
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}
