import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isMeasurable } from '#contract/screens.ts';
import type { Analytics, SuccessfulCall } from '#web/analytics/analytics.ts';
import { type Consent, readConsent, writeConsent } from '#web/analytics/consent.ts';
import { rememberGoogle } from '#web/analytics/google.ts';
import { observeCalls } from '#web/client/call.ts';
import { areaOf } from '#web/client/language.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { withWords } from '#web/client/words.ts';

const ConsentNotice = lazy(() =>
  withWords(import('#web/analytics/consent-notice.tsx'), 'analytics').then((notice) => ({
    default: notice.ConsentNotice,
  })),
);

/**
 * Whether this document may load the analytics script. The document's security policy allows it only if consent was
 * given before the document was requested, and not on every page.
 */
const wasGranted = readConsent() === 'granted' && isMeasurable(window.location.pathname);

/** Calls that succeeded before the site configuration arrived. */
const earlyCalls: SuccessfulCall[] = [];
if (wasGranted) {
  observeCalls((call) => earlyCalls.push(call));
  document.addEventListener('click', rememberGoogle);
}

/**
 * Analytics in the members' area. Without a measurement id it does nothing. Without an answer it asks for consent. With
 * consent it sends events. Operators are never measured.
 */
export function Measurement() {
  const measurementId = useSiteConfig().data?.measurementId ?? null;
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (measurementId === null || areaOf(path) === 'operator') return null;
  return (
    <>
      <Question />
      {wasGranted && <Counting measurementId={measurementId} path={path} />}
    </>
  );
}

function Question() {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState(readConsent);
  if (answer !== null) return null;
  const choose = (choice: Consent) => {
    writeConsent(choice);
    setAnswer(choice);
    // Consent takes effect with the next document. Reloads at once unless typed text would be lost.
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    if (choice === 'granted' && fields.every(({ value, type }) => value === '' || type === 'hidden'))
      window.location.reload();
  };
  return (
    <Suspense>
      <ConsentNotice t={t} onChoose={choose} />
    </Suspense>
  );
}

/** Started once per document, however often the component renders. */
let starting: Promise<Analytics> | null = null;

function start(measurementId: string): Promise<Analytics> {
  starting ??= import('#web/analytics/analytics.ts').then(({ startAnalytics }) => {
    const analytics = startAnalytics(measurementId);
    for (const call of earlyCalls.splice(0)) analytics.called(call);
    observeCalls(analytics.called);
    return analytics;
  });
  return starting;
}

function Counting({ measurementId, path }: { measurementId: string; path: string }) {
  const seen = useRef('');
  useEffect(() => {
    if (seen.current === path) return;
    seen.current = path;
    void start(measurementId).then((analytics) => analytics.viewed());
  }, [measurementId, path]);
  return null;
}
