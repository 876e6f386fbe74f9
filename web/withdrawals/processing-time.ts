import { processingTimeIn } from '#contract/processing-time.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';

/** How long a payment takes, in the current language. */
export function useProcessingTime(): string {
  const language = useLanguage();
  return processingTimeIn(language, useSiteConfig().data?.processingTime ?? '1–3');
}
