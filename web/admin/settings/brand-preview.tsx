import { useTranslation } from 'react-i18next';
import { colorsOf, failedPairs, nearestPassing } from '#contract/brand-colors.ts';
import { type Scheme, schemes } from '#contract/brand-styles.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { Amount } from '#web/ui/amount.tsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { Brand } from '#web/ui/brand.tsx';
import styles from './brand-card.module.css';
import { logoUrlOf } from './logo-field.tsx';
import { colorFields, colorIn, type Draft } from './site-draft.ts';

/** The sum of the example. */
const EXAMPLE_POINTS = '12480';

/** How the brand looks in both schemes, while it is typed. */
export function BrandPreview({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  return (
    <>
      {schemes.map((scheme) => (
        <section key={scheme} aria-label={t(`siteSettings.brand.schemes.${scheme}`)}>
          <h3>{t(`siteSettings.brand.schemes.${scheme}`)}</h3>
          <InScheme scheme={scheme} draft={draft} />
        </section>
      ))}
    </>
  );
}

/** A colour that can't be read shows as a block without text, and the nearest that can beneath it. */
function InScheme({ scheme, draft }: { scheme: Scheme; draft: Draft }) {
  const { t } = useTranslation();
  const typed = colorIn(draft[colorFields[scheme]]);
  const mains = { light: colorIn(draft.lightColor), dark: colorIn(draft.darkColor) };
  if (typed === null || failedPairs(scheme, typed).length === 0)
    return <Sample scheme={scheme} mains={mains} draft={draft} />;
  const nearest = nearestPassing(scheme, typed);
  return (
    <>
      <p className={styles.caption}>{t('siteSettings.brand.asTyped', { color: typed })}</p>
      <div
        className={styles.block}
        style={{ background: typed }}
        role="img"
        aria-label={t('siteSettings.brand.blockLabel', { color: typed })}
      />
      <p className={styles.caption}>{t('siteSettings.brand.nearest', { color: nearest })}</p>
      <Sample scheme={scheme} mains={{ ...mains, [scheme]: nearest }} draft={draft} />
    </>
  );
}

type SampleProps = {
  scheme: Scheme;
  mains: { light: string | null; dark: string | null };
  draft: Draft;
};

/** The top of a page and the cover of the balance, as a picture of them. */
function Sample({ scheme, mains, draft }: SampleProps) {
  const { t } = useTranslation();
  const email = useSiteConfig().data?.brand.supportEmail ?? '';
  const tokens = Object.entries(colorsOf(mains)[scheme] ?? {}).map(([name, color]) => [`--e-${name}`, color]);
  return (
    <div className={styles.sample} data-mantine-color-scheme={scheme} style={Object.fromEntries(tokens)}>
      <div className={styles.sampleTop}>
        <Brand name={draft.name} logoUrl={logoUrlOf(draft.logo)} />
      </div>
      <BalanceCard className={styles.sampleCover}>
        <p>{t('siteSettings.brand.balance')}</p>
        <p className={styles.sampleFigure}>
          <Amount points={EXAMPLE_POINTS} />
        </p>
      </BalanceCard>
      <p className={styles.sampleFoot}>
        <span className={styles.sampleButton}>{t('siteSettings.brand.button')}</span>
        <span className={styles.sampleLink}>{draft.supportEmail.trim() || email}</span>
      </p>
    </div>
  );
}
