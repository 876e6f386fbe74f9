import { CardSkeleton } from '#web/ui/skeleton-parts.tsx';

/** The coin flip card without words, in a document and while the card's code loads. */
export const CoinFlipSkeleton = () => (
  <CardSkeleton
    heights={[
      [516, 522],
      [520, 526],
      [520, 526],
    ]}
    lines={7}
  />
);
