/**
 * What the simulated companies have on offer. The rewards are what a wall shows its member; what it pays the
 * site is twice as much, a usual share.
 */
export type WallId = 'cpx' | 'bitlabs' | 'kiwiwall';

export type Offer = {
  id: string;
  title: string;
  /** What is asked of the member. */
  task: string;
  minutes: number;
  points: bigint;
  /** What being screened out pays, where the company pays for it. */
  screenOutPoints: bigint;
};

export type Wall = { id: WallId; name: string; kind: 'survey' | 'offerwall'; offers: readonly Offer[] };

const survey = (id: string, title: string, task: string, minutes: number, points: bigint): Offer => ({
  id,
  title,
  task,
  minutes,
  points,
  screenOutPoints: 5n,
});

const offer = (id: string, title: string, task: string, minutes: number, points: bigint): Offer => ({
  ...survey(id, title, task, minutes, points),
  screenOutPoints: 0n,
});

export const walls: Readonly<Record<WallId, Wall>> = {
  cpx: {
    id: 'cpx',
    name: 'CPX Research',
    kind: 'survey',
    offers: [
      survey('41207', 'Streaming and television at home', '14 questions about what you watch', 9, 120n),
      survey('41331', 'Groceries and delivery', 'Your last week of shopping', 12, 160n),
      survey('40988', 'Getting to work', 'Commuting, by any means', 6, 75n),
      survey('41420', 'Mobile banking', 'Apps you use, and why', 15, 200n),
      survey('41102', 'Skin care', 'Products of the last three months', 8, 90n),
      survey('41275', 'Pets and their food', 'For people with a dog or a cat', 11, 140n),
    ],
  },
  bitlabs: {
    id: 'bitlabs',
    name: 'BitLabs',
    kind: 'survey',
    offers: [
      survey('s-7710', 'Travel plans for the next year', 'A profile and 20 questions', 14, 420n),
      survey('s-7642', 'Headphones and speakers', 'Brands and prices', 10, 280n),
      survey('s-7803', 'Health insurance', 'Two parts, one day apart', 22, 950n),
      survey('s-7588', 'Coffee & tea', 'A short one', 4, 60n),
      survey('s-7915', 'Electric cars', 'For drivers, with pictures to rate', 18, 640n),
      survey('s-7426', 'Diary of a shopping week', 'Seven short entries', 60, 1_850n),
    ],
  },
  kiwiwall: {
    id: 'kiwiwall',
    name: 'KiwiWall',
    kind: 'offerwall',
    offers: [
      offer('2201', 'Harbour Town', 'Install and reach level 12', 180, 2_400n),
      offer('2317', 'Budget Bee', 'Install, add one account', 10, 350n),
      offer('2188', 'Word Orchard', 'Finish 40 puzzles', 90, 900n),
      offer('2402', 'Night Train', 'Reach chapter 6 within 14 days', 600, 12_500n),
      offer('2356', 'Lingo Lane', 'Start a free week and take 3 lessons', 45, 1_200n),
      offer('2290', 'Parcel Watch', 'Install and open', 2, 80n),
    ],
  },
};

export const wallIds = Object.keys(walls) as WallId[];

export const isWallId = (id: string): id is WallId => Object.hasOwn(walls, id);
