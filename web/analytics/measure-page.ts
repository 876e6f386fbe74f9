import { startCollector } from './collector.ts';
import { type Consent, readConsent, writeConsent } from './consent.ts';

/** Counting on a prerendered page: asks where there is no answer yet, and lets the answer be changed on /cookies. */
export function measurePage(measurementId: string): void {
  const answer = readConsent();
  for (const notice of document.querySelectorAll<HTMLElement>('[data-consent-notice]'))
    notice.hidden = answer !== null;
  for (const sentence of document.querySelectorAll<HTMLElement>('[data-measuring-state]'))
    sentence.hidden = sentence.dataset.measuringState !== (answer ?? 'open');
  for (const answers of document.querySelectorAll<HTMLElement>('[data-measuring-answers]'))
    answers.hidden = false;
  for (const button of document.querySelectorAll<HTMLElement>('button[data-measuring]')) {
    if (button.dataset.measuring === answer) button.setAttribute('aria-pressed', 'true');
    button.addEventListener('click', () => {
      writeConsent(button.dataset.measuring as Consent);
      // The policy of the page changes with the answer.
      window.location.reload();
    });
  }
  if (answer === 'granted') startCollector(measurementId)({ name: 'page_view' });
}
