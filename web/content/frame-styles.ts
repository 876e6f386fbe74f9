/** The styles of the skeleton in a member's document, in cascade order. */
import '#web/ui/own-font.css';
import '#web/ui/tokens.css';
import '#web/ui/base.css';
import '#web/ui/big-figure.module.css';
import '#web/ui/balance-card.module.css';
import '#web/ui/plain-button.module.css';
import '#web/shell/member-area.module.css';
import '#web/shell/top-bar.module.css';
import '#web/shell/bottom-bar.module.css';
import '#web/shell/user-menu.module.css';
import '#web/shell/frame-skeleton.module.css';
import '#web/home/dashboard-page.module.css';
import '#web/home/balance-summary.module.css';
import '#web/home/home-skeleton.module.css';
