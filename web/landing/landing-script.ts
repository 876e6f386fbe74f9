import '#web/ui/fonts.css';
import '#web/ui/tokens.css';
import '#web/ui/base.css';
import '#web/ui/amount.module.css';
import '#web/ui/big-figure.module.css';
import '#web/ui/brand.module.css';
import '#web/ui/cover.module.css';
import '#web/ui/plain-button.module.css';
import '#web/ui/status-badge.module.css';
import './hero.module.css';
import './landing.module.css';
import './ways.module.css';
import './why.module.css';

/** All that the prerendered front page needs of a script: the change of language, kept for the next visit. */
for (const button of document.querySelectorAll<HTMLElement>('[data-language]')) {
  button.addEventListener('click', () => {
    const language = button.dataset.language ?? 'en';
    localStorage.setItem('language', language);
    // biome-ignore lint/suspicious/noDocumentCookie: the server chooses the page's language by this cookie.
    document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
    window.location.reload();
  });
}
