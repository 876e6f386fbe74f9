import { startCollector } from './collector.ts';
import { type Consent, readConsent, writeConsent } from './consent.ts';

/** Counting on a prerendered page: asks for consent if there is no answer, and lets /cookies change the answer. */
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
      // The page's content security policy depends on the answer.
      window.location.reload();
    });
  }
  if (answer === 'granted') startCollector(measurementId)({ name: 'page_view' });
}
