import { useTranslation } from 'react-i18next';
import { colorPairs, derivedDark, ownMainColors, pairsOf, shownContrast } from '#contract/brand-colors.ts';
import { type Scheme, schemes } from '#contract/brand-styles.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './brand-card.module.css';
import { colorIn, type Draft } from './site-draft.ts';

/** The main colour of a scheme while it is typed. */
export function mainOf(scheme: Scheme, { lightColor, darkColor }: Pick<Draft, 'lightColor' | 'darkColor'>) {
  const light = colorIn(lightColor);
  if (scheme === 'light') return light ?? ownMainColors.light;
  return colorIn(darkColor) ?? (light === null ? ownMainColors.dark : derivedDark(light));
}

/** The contrast of each pair in both schemes, while the colours are typed. */
export function ColorPairs({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  const light = colorIn(draft.lightColor);
  const pairs = schemes.map((scheme) => pairsOf(scheme, mainOf(scheme, draft), light));
  return (
    <table className={styles.pairs}>
      <caption className="visually-hidden">{t('siteSettings.brand.contrast')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('siteSettings.brand.pair')}</th>
          {schemes.map((scheme) => (
            <th key={scheme} scope="col">
              {t(`siteSettings.brand.schemes.${scheme}`)}
            </th>
          ))}
          <th scope="col">{t('siteSettings.brand.needs')}</th>
        </tr>
      </thead>
      <tbody className="num">
        {colorPairs.map((pair, index) => (
          <tr key={pair}>
            <th scope="row">{t(`siteSettings.brand.pairs.${pair}`)}</th>
            {schemes.map((scheme, at) => {
              const { contrast = 0, contrastMin = 0 } = pairs[at]?.[index] ?? {};
              const isEnough = contrast >= contrastMin;
              return (
                <td key={scheme}>
                  <StatusBadge tone={isEnough ? 'ok' : 'blocked'}>
                    {shownContrast(contrast)}
                    {!isEnough && <span className="visually-hidden"> {t('siteSettings.brand.tooLow')}</span>}
                  </StatusBadge>
                </td>
              );
            })}
            <td>{pairs[0]?.[index]?.contrastMin.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
