import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Side } from '#contract/coinflip.ts';
import { Coin } from '#web/ui/coin.tsx';
import { type Draw, repeatDraw, type Seeds } from './verify.ts';
import styles from './verify-page.module.css';

type VerdictProps = {
  /** Null until all three are valid. */
  seeds: Seeds | null;
  /** The hash of the server seed as shown before the game; empty if unknown. */
  seal: string;
  /** The result that the site reported. */
  reportedSide: Side | undefined;
};

/** Shows the result of the draw as the browser computes it. */
export function Verdict({ seeds, seal, reportedSide }: VerdictProps) {
  const { t } = useTranslation();
  const draw = useDraw(seeds);
  return (
    <div className={styles.verdict} role="status" aria-live="polite">
      {draw === null ? (
        <>
          <span className={styles.noCoin} />
          <p className="dim">{t('coinflip.verify.waiting')}</p>
        </>
      ) : (
        <>
          <Coin side={draw.side} size={64} />
          <div>
            <p className={styles.side}>{t(`coinflip.${draw.side}`)}</p>
            <ul className={styles.checks}>
              <SealCheck seal={seal} own={draw.seal} />
              {reportedSide !== undefined && (
                <Check tone={reportedSide === draw.side ? 'ok' : 'bad'}>
                  {t(reportedSide === draw.side ? 'coinflip.verify.same' : 'coinflip.verify.other', {
                    side: t(`coinflip.inText.${reportedSide}`),
                  })}
                </Check>
              )}
              <Check tone="note">
                {t('coinflip.verify.firstByte', {
                  hex: draw.mac.slice(0, 2),
                  byte: draw.firstByte,
                  parity: t(draw.side === 'heads' ? 'coinflip.verify.even' : 'coinflip.verify.odd'),
                  side: t(`coinflip.inText.${draw.side}`),
                })}
                <br />
                <span className={`mono ${styles.mac}`}>
                  <b>{draw.mac.slice(0, 2)}</b>
                  {draw.mac.slice(2)}
                </span>
              </Check>
            </ul>
          </div>
        </>
      )}
    </div>
  );
}

function SealCheck({ seal, own }: { seal: string; own: string }) {
  const { t } = useTranslation();
  if (seal === '') return <Check tone="note">{t('coinflip.verify.noSeal')}</Check>;
  const fits = seal === own;
  return (
    <Check tone={fits ? 'ok' : 'bad'}>
      {t(fits ? 'coinflip.verify.sealFits' : 'coinflip.verify.sealDiffers')}
    </Check>
  );
}

const icons = { ok: IconCircleCheck, bad: IconCircleX, note: IconInfoCircle };

function Check({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <li data-tone={tone}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </li>
  );
}

/** The draw computed from the current seeds; null if there are none. */
function useDraw(seeds: Seeds | null): Draw | null {
  const [draw, setDraw] = useState<Draw | null>(null);
  const { serverSeed, clientSeed, nonce } = seeds ?? {};
  useEffect(() => {
    let isLatest = true;
    if (serverSeed === undefined || clientSeed === undefined || nonce === undefined) setDraw(null);
    else
      void repeatDraw({ serverSeed, clientSeed, nonce }).then((repeated) => {
        if (isLatest) setDraw(repeated);
      });
    return () => {
      isLatest = false;
    };
  }, [serverSeed, clientSeed, nonce]);
  return draw;
}
