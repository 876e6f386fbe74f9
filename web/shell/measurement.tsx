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
 * The policy of this document lets the counting script in only where the answer was yes when it was asked for, and not
 * on each page.
 */
const wasGranted = readConsent() === 'granted' && isMeasurable(window.location.pathname);

/** Calls that succeeded before the site's facts were there. */
const early: SuccessfulCall[] = [];
if (wasGranted) {
  observeCalls((call) => early.push(call));
  document.addEventListener('click', rememberGoogle);
}

/**
 * Counting in the members' area: nothing without a measurement id, the question where there is no answer, and the
 * events after a yes. Operators are never counted.
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
    // A yes takes effect with the next document: at once, unless somebody would lose what they have typed.
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

/** One for the whole life of the document, however often this is drawn. */
let starting: Promise<Analytics> | null = null;

function start(measurementId: string): Promise<Analytics> {
  starting ??= import('#web/analytics/analytics.ts').then(({ startAnalytics }) => {
    const analytics = startAnalytics(measurementId);
    for (const call of early.splice(0)) analytics.called(call);
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
