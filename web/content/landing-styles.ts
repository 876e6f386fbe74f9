/** The styles of the prerendered front page, in cascade order. */
import '#web/ui/fonts.css';
import '#web/ui/tokens.css';
import '#web/ui/base.css';
import '#web/ui/amount.module.css';
import '#web/ui/big-figure.module.css';
import '#web/ui/brand.module.css';
import '#web/ui/balance-card.module.css';
import '#web/ui/plain-button.module.css';
import '#web/ui/status-badge.module.css';
import '#web/analytics/consent-notice.module.css';
import '#web/landing/hero.module.css';
import '#web/landing/landing.module.css';
import '#web/landing/ways-to-earn.module.css';
import '#web/landing/benefits.module.css';
