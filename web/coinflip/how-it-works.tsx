import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './verify-page.module.css';

const steps = ['seal', 'yours', 'draw', 'reveal'] as const;

const COMMANDS = `printf %s "$SEED" |
  openssl dgst -sha256
printf %s "$YOURS:$NUMBER" |
  openssl dgst -sha256 -hmac "$SEED"`;

/** Explains how a draw is made and how to check it without this site. */
export function HowItWorks() {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={`card ${styles.how}`} aria-labelledby={id}>
      <h2 id={id}>{t('coinflip.verify.how')}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step}>{t(`coinflip.verify.steps.${step}`)}</li>
        ))}
      </ol>
      <p className="small dim">{t('coinflip.verify.byHand')}</p>
      <pre className={`mono ${styles.code}`}>{COMMANDS}</pre>
    </section>
  );
}
