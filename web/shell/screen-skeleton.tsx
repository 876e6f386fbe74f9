import type { ReactNode } from 'react';
import { HomeSkeleton } from '#web/home/home-skeleton.tsx';
import { CardSkeleton, HeadingSkeleton, Stack } from '#web/ui/skeleton-parts.tsx';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import type { memberScreens } from '../screens.ts';

/** Which skeleton a screen of members has. */
export type Skeleton = (typeof memberScreens)[keyof typeof memberScreens]['skeleton'];

/** The rows of a list's first page. */
const ROWS = 10;

/**
 * The skeletons of members' screens: Home's, which has the sizes of its cards, a list, and a form. A screen is replaced
 * in one piece, so a list or form has the frame and heading of its screen and not its heights.
 */
const skeletons: Record<Skeleton, () => ReactNode> = {
  home: () => <HomeSkeleton />,
  list: () => (
    <>
      <HeadingSkeleton />
      <div className="card">
        <RowShapes count={ROWS} />
      </div>
    </>
  ),
  form: () => (
    <>
      <HeadingSkeleton />
      <Stack>
        <CardSkeleton heights={[220, 200, 200]} />
        <CardSkeleton heights={[420, 400, 400]} lines={6} />
      </Stack>
    </>
  ),
};

export const ScreenSkeleton = ({ kind }: { kind: Skeleton }) => skeletons[kind]();
