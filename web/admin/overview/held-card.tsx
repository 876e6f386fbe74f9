import { useTranslation } from 'react-i18next';
import type { OverviewDays, Wallet } from '#contract/overview.ts';
import { formatDollars } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { DaysCard } from './days-card.tsx';
import styles from './held-card.module.css';
import { PlotCard } from './plot-card.tsx';
import { Legend, Lines } from './shapes.tsx';
import { sumOf } from './site-days.ts';
import { useDayRows } from './use-day-rows.ts';

/** What members are owed by day, against what the paying accounts held, and what each account holds now. */

export function HeldCard() {
  const { t } = useTranslation();
  return <DaysCard title={t('overview.held.title')}>{(read) => <Held read={read} />}</DaysCard>;
}

function Held({ read: { days, owed, held, wallets } }: { read: OverviewDays }) {
  const { t } = useTranslation();
  const rows = useDayRows(days);
  const last = held.at(-1) ?? null;
  const needed = sumOf(wallets.map(({ neededPoints }) => neededPoints ?? '0'));
  return (
    <PlotCard
      title={t('overview.held.title')}
      figure={t('overview.held.owed', { amount: formatDollars(owed.at(-1)) })}
      sentence={
        last === null
          ? t('overview.held.unknown')
          : t('overview.held.sentence', { held: formatDollars(last), needed: formatDollars(needed) })
      }
      plot={
        <Lines
          days={days}
          lines={[owed.map(BigInt), held.map((points) => (points === null ? null : BigInt(points)))]}
        />
      }
      legend={
        <Legend
          items={[
            { name: t('overview.held.toMembers'), sum: formatDollars(owed.at(-1)) },
            { name: t('overview.held.inWallets'), sum: last === null ? '–' : formatDollars(last) },
          ]}
        />
      }
      table={{
        heads: [t('overview.plots.day'), t('overview.held.toMembers'), t('overview.held.inWallets')],
        rows: rows((index) => {
          const points = held[index] ?? null;
          return [formatDollars(owed[index]), points === null ? '–' : formatDollars(points)];
        }),
      }}
    >
      <Wallets wallets={wallets} />
    </PlotCard>
  );
}

export function Wallets({ wallets }: { wallets: readonly Wallet[] }) {
  const { t } = useTranslation();
  if (wallets.length === 0) return <p className={styles.none}>{t('overview.held.noWallet')}</p>;
  return (
    <div className={styles.wallets}>
      <table className="num">
        <thead>
          <tr>
            <th scope="col">{t('overview.held.wallet')}</th>
            <th scope="col">{t('overview.held.holds')}</th>
            <th scope="col">{t('overview.held.needed')}</th>
          </tr>
        </thead>
        <tbody>
          {wallets.map((wallet) => (
            <tr key={wallet.method}>
              <th scope="row">{wallet.name}</th>
              <td>{worthOf(wallet.points, wallet.balance, wallet.currency)}</td>
              <td>{worthOf(wallet.neededPoints, wallet.needed, wallet.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {wallets
        .filter(({ shortSince }) => shortSince !== null)
        .map(({ method, name, points, neededPoints }) => (
          <p key={method} className={styles.short}>
            <StatusBadge tone="warn">
              {points === null || neededPoints === null
                ? t('overview.held.short', { name })
                : t('overview.held.shortBy', {
                    name,
                    amount: formatDollars(BigInt(neededPoints) - BigInt(points)),
                  })}
            </StatusBadge>
          </p>
        ))}
    </div>
  );
}

/** In dollars, or in the currency while no rate is known. */
const worthOf = (points: string | null, amount: string, currency: string): string =>
  points === null ? `${amount} ${currency}` : formatDollars(points);
