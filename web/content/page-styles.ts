/** The styles of the text pages and of the offline notice. */
import '#web/ui/fonts.css';
import '#web/ui/tokens.css';
import '#web/ui/base.css';
import '#web/ui/brand.module.css';
import '#web/ui/plain-button.module.css';
import '#web/analytics/consent-notice.module.css';
import '#web/landing/landing.module.css';
import '#web/offline/offline-notice.module.css';
import './text-page.module.css';
