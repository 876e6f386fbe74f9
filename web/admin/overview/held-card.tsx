import { useTranslation } from 'react-i18next';
import type { OverviewDays, Wallet } from '#contract/overview.ts';
import { formatDecimal, formatDollars, groupedByFour } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { DaysCard } from './days-card.tsx';
import styles from './held-card.module.css';
import { PlotCard } from './plot-card.tsx';
import { Lines } from './shapes.tsx';
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
        <>
          <Scale name={t('overview.held.toMembers')} days={days} values={owed.map(BigInt)} />
          <Scale
            name={t('overview.held.inWallets')}
            days={days}
            values={held.map((points) => (points === null ? null : BigInt(points)))}
          />
        </>
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

/** Each line has its own scale: what is held is often a small part of what is owed, and would lie on the ground. */
function Scale({ name, days, values }: { name: string; days: string[]; values: (bigint | null)[] }) {
  const { t } = useTranslation();
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const highest = known.reduce((most, value) => (value > most ? value : most));
  return (
    <>
      <p className={styles.scale}>
        <b>{name}</b>
        <span className="num">{t('overview.held.upTo', { amount: formatDollars(highest) })}</span>
      </p>
      <Lines days={days} lines={[values]} />
    </>
  );
}

type WalletsProps = {
  wallets: readonly Wallet[];
  /** Whether to say where each is filled up, also while it holds enough. */
  isWhole?: boolean;
};

export function Wallets({ wallets, isWhole = false }: WalletsProps) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  if (wallets.length === 0) return <p className={styles.none}>{t('overview.held.noWallet')}</p>;
  return (
    <div className={styles.wallets}>
      <table className="num">
        <thead>
          <tr>
            <th scope="col">{t('overview.held.wallet')}</th>
            <th scope="col">{t('overview.held.holds')}</th>
            <th scope="col">{t('overview.held.needed')}</th>
            <th scope="col">{t('overview.held.covers')}</th>
          </tr>
        </thead>
        <tbody>
          {wallets.map((wallet) => (
            <tr key={wallet.method}>
              <th scope="row">{nameOf(wallet.method)}</th>
              <td>{worthOf(wallet.points, wallet.balance, wallet.currency)}</td>
              <td>{worthOf(wallet.neededPoints, wallet.needed, wallet.currency)}</td>
              <td>
                {wallet.covers === null
                  ? '–'
                  : t('overview.held.times', { number: formatDecimal(wallet.covers) })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {wallets
        .filter(
          ({ shortSince, topUpDestination }) => shortSince !== null || (isWhole && topUpDestination !== null),
        )
        .map((wallet) => (
          <TopUp key={wallet.method} wallet={wallet} />
        ))}
    </div>
  );
}

/** What is missing in a wallet, and where an operator sends it. */
function TopUp({
  wallet: { method, currency, missing, points, neededPoints, topUpDestination },
}: {
  wallet: Wallet;
}) {
  const { t } = useTranslation();
  const name = useRailWords().nameOf(method);
  return (
    <div className={styles.topUp} data-short={missing !== null || undefined}>
      {missing === null ? (
        <p>{t('overview.held.fillUp', { name })}</p>
      ) : (
        <>
          <StatusBadge tone="warn">
            {points === null || neededPoints === null
              ? t('overview.held.short', { name })
              : t('overview.held.shortBy', {
                  name,
                  amount: formatDollars(BigInt(neededPoints) - BigInt(points)),
                })}
          </StatusBadge>
          <p>{t('overview.held.sendAtLeast', { amount: `${formatDecimal(missing)} ${currency}` })}</p>
        </>
      )}
      {topUpDestination !== null && (
        <p className={styles.address}>
          <span>{groupedByFour(topUpDestination)}</span>
          <CopyButton text={topUpDestination} label={t('overview.held.copyAddress', { name })} />
        </p>
      )}
    </div>
  );
}

/** In dollars, or in the currency while no rate is known. */
const worthOf = (points: string | null, amount: string, currency: string): string =>
  points === null ? `${amount} ${currency}` : formatDollars(points);
