import { useTranslation } from 'react-i18next';
import { bonusTextsIn } from '#contract/bonus-texts.ts';
import { payoutTextsIn } from '#contract/payout-texts.ts';
import { processingTimeIn } from '#contract/processing-time.ts';
import { useBrandName, useSiteConfig } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { useLanguageChoice } from '#web/ui/use-language-choice.ts';
import { Landing } from './landing.tsx';

/** The front page inside the app, for readers whose session has ended. */
export function FrontPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { choose } = useLanguageChoice();
  const brandName = useBrandName();
  const config = useSiteConfig().data;
  return (
    <Landing
      t={t}
      language={language}
      brandName={brandName}
      supportEmail={config?.brand.supportEmail ?? null}
      processingTime={processingTimeIn(language, config?.processingTime ?? '1–3')}
      bonusRange={bonusTextsIn(language, config?.bonusSchedule ?? ['5', '50']).range}
      payouts={payoutTextsIn(language, config?.payoutMethods ?? [])}
      onLanguage={choose}
    />
  );
}
