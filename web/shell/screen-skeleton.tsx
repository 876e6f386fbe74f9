import clsx from 'clsx';
import type { ReactNode } from 'react';
import { TileShapes } from '#web/earning/tile-skeletons.tsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BigFigurePlace } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import {
  Bar,
  CardHeadSkeleton,
  CardSkeleton,
  Columns,
  HeadingSkeleton,
  type Measures,
  PlaceSkeleton,
  Stack,
} from '#web/ui/skeleton-parts.tsx';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import withdrawal from '#web/withdrawals/withdrawal-page.module.css';
import type { memberScreens } from '../screens.ts';
import styles from './screen-skeleton.module.css';

/** The rows of a list's first page. */
const ROWS = 10;

/** The lines of an introduction that wraps on phones in English only. */
const wrapsInEnglish: Measures = [[2, 1], 1, 1];

/** The summary of what surveys pay, which two screens begin with. */
const pitch = (
  <div className={styles.pitch}>
    <PlaceSkeleton
      heights={[
        [86, 66],
        [76, 78],
        [76, 78],
      ]}
    />
  </div>
);

/** The paths of members' screens but Home's, whose skeleton is its own. */
type Path = Exclude<(typeof memberScreens)[keyof typeof memberScreens]['path'], '/'>;

/** The skeleton of each screen but Home. It has the places and sizes of what follows, and no words. */
const skeletons: Record<Path, () => ReactNode> = {
  '/earn': () => (
    <>
      <HeadingSkeleton lines={[2, 2, 2]} />
      <div className={styles.sums} />
      <TileShapes />
    </>
  ),
  '/tasks': () => (
    <>
      <HeadingSkeleton lines={[2, [2, 1], [2, 1]]} />
      <PlaceSkeleton heights={[120, 52, 52]}>
        {['all', 'one', 'two', 'three'].map((chip) => (
          <span key={chip} className={styles.chip} />
        ))}
      </PlaceSkeleton>
      <CardSkeleton heights={[754, 754, 754]} lines={16} />
    </>
  ),
  '/surveys': () => (
    <>
      <HeadingSkeleton lines={[2, [2, 1], 1]} />
      <div className={styles.link} />
      <Stack gap="small">
        {pitch}
        <div className={styles.categories}>
          {['one', 'two', 'three'].map((category) => (
            <CardSkeleton
              key={category}
              heights={[
                [106, 108],
                [152, 112],
                [118, 120],
              ]}
              lines={2}
            />
          ))}
        </div>
        <CardSkeleton heights={[754, 754, 754]} lines={16} />
      </Stack>
    </>
  ),
  '/cpx-surveys': () => (
    <>
      <HeadingSkeleton lines={wrapsInEnglish} />
      <Stack gap="small">
        {pitch}
        <CardSkeleton
          heights={[
            [146, 148],
            [166, 168],
            [166, 168],
          ]}
        >
          <div className={styles.middle}>
            <Bar width={200} height={52} />
            <Bar width="40%" height={12} />
          </div>
        </CardSkeleton>
      </Stack>
    </>
  ),
  '/kiwiwall-offers': () => (
    <>
      <HeadingSkeleton lines={wrapsInEnglish} />
      <Stack gap="large">
        <CardSkeleton
          heights={[
            [183, 187],
            [134, 136],
            [134, 136],
          ]}
        />
        <CardSkeleton heights={[1400, 1400, 1400]} lines={0} />
      </Stack>
    </>
  ),
  '/coin-flip/verify': () => (
    <>
      <HeadingSkeleton lines={[2, 1, 1]} />
      <Columns side="verify">
        <CardSkeleton heights={[694, 686, 686]} lines={9} />
        <CardSkeleton
          heights={[
            [612, 592],
            [448, 460],
            [608, 586],
          ]}
          lines={9}
        />
      </Columns>
    </>
  ),
  '/history': () => (
    <>
      <HeadingSkeleton lines={[1, 1, 1]} />
      <div className="card">
        <div className={styles.tabs}>
          <Bar width={180} height={20} />
        </div>
        <RowShapes count={ROWS} />
      </div>
    </>
  ),
  '/chargeback-history': () => (
    <>
      <div className={styles.back}>
        <Bar width={96} height={12} />
      </div>
      <HeadingSkeleton />
      <Stack>
        <CardSkeleton heights={[[260, 216], 158, 158]} />
        <div className="card">
          <RowShapes count={3} />
        </div>
      </Stack>
    </>
  ),
  '/withdrawal': () => <WithdrawalSkeleton />,
  '/notices': () => (
    <>
      <HeadingSkeleton lines={[2, 1, 1]} />
      <div className="card">
        <RowShapes count={ROWS} />
      </div>
    </>
  ),
  '/decisions': () => (
    <>
      <HeadingSkeleton lines={[2, 1, 1]} />
      <div className={styles.narrow}>
        <CardSkeleton heights={[800, 640, 640]} lines={8} />
      </div>
    </>
  ),
  '/referrals': () => (
    <>
      <HeadingSkeleton lines={wrapsInEnglish} className={styles.tight} />
      <div className={styles.friends}>
        <Columns side="referrals">
          <Stack>
            <CardSkeleton
              heights={[
                [381, 382],
                [279, 280],
                [279, 280],
              ]}
              lines={5}
            />
            <CardSkeleton
              heights={[
                [216, 222],
                [112, 116],
                [112, 116],
              ]}
              lines={2}
            />
          </Stack>
          <CardSkeleton heights={[390, [322, 336], [415, 420]]} lines={6} />
        </Columns>
      </div>
      <div className="card">
        <CardHeadSkeleton />
        <RowShapes count={3} />
      </div>
    </>
  ),
  '/profile': () => (
    <>
      <HeadingSkeleton className={styles.near} />
      <Columns side="profile">
        <Stack>
          <CardSkeleton
            heights={[
              [205, 178],
              [133, 134],
              [133, 134],
            ]}
          >
            <div className={styles.person}>
              <span className={styles.face} />
              <div>
                <Bar width={160} height={20} />
                <Bar width={200} height={12} />
                <Bar width={120} height={12} />
              </div>
            </div>
          </CardSkeleton>
          <CardSkeleton
            heights={[
              [266, 268],
              [234, 238],
              [234, 238],
            ]}
          />
        </Stack>
        <Stack>
          <CardSkeleton heights={[214, 222, 222]} />
          <CardSkeleton
            heights={[
              [226, 228],
              [242, 244],
              [242, 244],
            ]}
          />
        </Stack>
      </Columns>
    </>
  ),
  '/settings': () => (
    <div className={styles.settings}>
      <HeadingSkeleton lines={wrapsInEnglish} />
      <Stack>
        <CardSkeleton
          heights={[
            [190, 192],
            [206, 208],
            [206, 208],
          ]}
          lines={2}
        />
        <CardSkeleton
          heights={[
            [720, 712],
            [518, 546],
            [482, 484],
          ]}
          lines={10}
        />
        <CardSkeleton
          heights={[
            [420, 422],
            [436, 438],
            [436, 438],
          ]}
          lines={7}
        />
        <CardSkeleton
          heights={[
            [188, 154],
            [168, 170],
            [168, 170],
          ]}
        />
        <CardSkeleton
          heights={[
            [184, 168],
            [120, 102],
            [120, 102],
          ]}
          lines={2}
        />
        <CardSkeleton
          heights={[
            [164, 146],
            [100, 102],
            [100, 102],
          ]}
          lines={1}
        />
      </Stack>
    </div>
  ),
  '/wallet-settings': () => (
    <>
      <HeadingSkeleton />
      <CardSkeleton heights={[268, 244, 244]} lines={2} />
    </>
  ),
};

/** The skeleton of the screen at a path. @throws Error if the screen has none */
export function ScreenSkeleton({ path }: { path: string }) {
  if (!hasSkeleton(path)) throw new Error(`The screen ${path} has no skeleton.`);
  return skeletons[path]();
}

const hasSkeleton = (path: string): path is Path => Object.hasOwn(skeletons, path);

/** Mirrors the elements of `WithdrawalPage`, so that it has the same heights. */
function WithdrawalSkeleton() {
  const fact = <span className={styles.fact} />;
  return (
    <>
      <HeadingSkeleton />
      <div className={withdrawal.top}>
        <BalanceCard className={withdrawal.card}>
          <p className={withdrawal.label}>{'\u00a0'}</p>
          <BigFigurePlace />
          <div className={withdrawal.goal} />
          <div className={withdrawal.ask}>
            <span className={clsx(button.button, button.paper, styles.button)} />
            <div className={withdrawal.enough} />
          </div>
        </BalanceCard>
        <div className={clsx('card', withdrawal.info)}>
          <dl>
            {['smallest', 'each day', 'takes', 'approval', 'fee', 'network'].map((name) => (
              <div key={name}>
                <dt>{fact}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <div className="card">
        <CardHeadSkeleton />
        <RowShapes count={5} />
      </div>
    </>
  );
}
