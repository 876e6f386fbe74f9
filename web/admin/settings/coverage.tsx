import { useTranslation } from 'react-i18next';
import { type Provider, signatureFields } from '#contract/earning-providers.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './settings.module.css';

/** What a provider's signature covers: of the whole call, part by part, and what protects a part that is not signed. */

const tones = { signed: 'ok', joined: 'warn', unsigned: 'warn' } as const satisfies Record<string, BadgeTone>;

function extentOf({ about }: Provider) {
  const covered = Object.values(about?.signatureCovers ?? {});
  if (covered.every((one) => one === 'unsigned')) return 'none';
  return covered.every((one) => one === 'signed') ? 'whole' : 'part';
}

const extentTones = { whole: 'ok', part: 'warn', none: 'bad' } as const;

/** One word for all parts together. */
export function CoverageBadge({ provider }: { provider: Provider }) {
  const { t } = useTranslation();
  const extent = extentOf(provider);
  return <StatusBadge tone={extentTones[extent]}>{t(`providerSettings.extent.${extent}`)}</StatusBadge>;
}

export function Coverage({ provider }: { provider: Provider }) {
  const { t } = useTranslation();
  const { about } = provider;
  if (about === null) return null;
  const loose = signatureFields.filter((field) => about.signatureCovers[field] !== 'signed');
  return (
    <>
      <h3>{t('providerSettings.signature.title')}</h3>
      <FactList>
        {signatureFields.map((field) => (
          <Fact key={field} label={t(`providerSettings.signature.fields.${field}`)}>
            <StatusBadge tone={tones[about.signatureCovers[field]]}>
              {t(`providerSettings.signature.covers.${about.signatureCovers[field]}`)}
            </StatusBadge>
          </Fact>
        ))}
      </FactList>
      {loose.length === 0 ? (
        <p className={styles.help}>{t('providerSettings.signature.whole')}</p>
      ) : (
        <ul className={styles.explained}>
          {loose.map((field) => (
            <li key={field}>{t(`providerSettings.signature.protects.${field}`)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
