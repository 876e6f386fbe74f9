import { createHash } from 'node:crypto';

/**
 * What the simulated companies have on offer. The rewards are what a wall shows its member; what it pays the
 * site is twice as much, a usual share.
 */
export type WallId = 'cpx' | 'bitlabs' | 'theoremreach' | 'kiwiwall' | 'wannads' | 'adgem' | 'ayetstudios';

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

/** One of several ways in which a company sends its postbacks; accounts have one of them. */
export type WallForm = { id: string; name: string };

export type Wall = {
  id: WallId;
  name: string;
  kind: 'survey' | 'offerwall';
  hasScreenOuts: boolean;
  /** Where there is more than one; the first is what a new account has. */
  forms: readonly WallForm[];
  offers: readonly Offer[];
};

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
    hasScreenOuts: true,
    forms: [],
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
    hasScreenOuts: true,
    forms: [],
    offers: [
      survey('s-7710', 'Travel plans for the next year', 'A profile and 20 questions', 14, 420n),
      survey('s-7642', 'Headphones and speakers', 'Brands and prices', 10, 280n),
      survey('s-7803', 'Health insurance', 'Two parts, one day apart', 22, 950n),
      survey('s-7588', 'Coffee & tea', 'A short one', 4, 60n),
      survey('s-7915', 'Electric cars', 'For drivers, with pictures to rate', 18, 640n),
      survey('s-7426', 'Diary of a shopping week', 'Seven short entries', 60, 1_850n),
    ],
  },
  theoremreach: {
    id: 'theoremreach',
    name: 'TheoremReach',
    kind: 'survey',
    hasScreenOuts: true,
    forms: [],
    offers: [
      survey('tr-311', 'News and where you read it', 'A short questionnaire', 7, 110n),
      survey('tr-326', 'Home improvement', 'Projects of the last year', 13, 240n),
      survey('tr-340', 'Banking & trust', 'Opinions on a scale', 10, 180n),
      survey('tr-355', 'Breakfast', 'Seven mornings', 5, 80n),
      survey('tr-362', 'Phones and contracts', 'For those who pay the bill', 16, 390n),
      survey('tr-378', 'Advertising you remember', 'With films to watch', 24, 720n),
    ],
  },
  kiwiwall: {
    id: 'kiwiwall',
    name: 'KiwiWall',
    kind: 'offerwall',
    hasScreenOuts: true,
    forms: [],
    offers: [
      offer('2201', 'Harbour Town', 'Install and reach level 12', 180, 2_400n),
      offer('2317', 'Budget Bee', 'Install, add one account', 10, 350n),
      offer('2188', 'Word Orchard', 'Finish 40 puzzles', 90, 900n),
      offer('2402', 'Night Train', 'Reach chapter 6 within 14 days', 600, 12_500n),
      offer('2356', 'Lingo Lane', 'Start a free week and take 3 lessons', 45, 1_200n),
      offer('2290', 'Parcel Watch', 'Install and open', 2, 80n),
    ],
  },
  wannads: {
    id: 'wannads',
    name: 'Wannads',
    kind: 'offerwall',
    hasScreenOuts: false,
    forms: [
      { id: 'new', name: 'New generation' },
      { id: 'old', name: 'Old generation' },
    ],
    offers: [
      offer('5104', 'Recipe Box', 'Subscribe to the newsletter', 3, 120n),
      offer('5127', 'Solar check', 'Fill in a form about your roof', 8, 540n),
      offer('5133', 'Mini Golf League', 'Install and win 3 rounds', 60, 850n),
      offer('5150', 'Cinema Club', 'Start a free month', 6, 1_400n),
      offer('5162', 'Weather Widget', 'Install and open', 2, 100n),
      offer('5178', 'Language test', 'Answer all 30 questions', 18, 310n),
      offer('5189', 'Film trailers', 'Watch three to the end', 6, 110n),
      offer('5195', 'How coffee is roasted', 'Watch a film and answer a question', 9, 150n),
    ],
  },
  adgem: {
    id: 'adgem',
    name: 'AdGem',
    kind: 'offerwall',
    hasScreenOuts: false,
    forms: [
      { id: 'get', name: 'GET' },
      { id: 'post', name: 'POST' },
    ],
    offers: [
      offer('9021', 'Dune Settlers', 'Reach town hall 9', 900, 4_800n),
      offer('9038', 'Bubble Bakery', 'Finish level 50', 240, 1_600n),
      offer('9044', 'Card Kingdom', 'Buy any starter pack', 20, 2_750n),
      offer('9060', 'Step by Step', 'Walk 10,000 steps three times', 4_320, 600n),
      offer('9075', 'Stock School', 'Open an account (18+)', 15, 5_000n),
      offer('9083', 'Puzzle Post', 'Install and play 5 days', 300, 450n),
    ],
  },
  ayetstudios: {
    id: 'ayetstudios',
    name: 'ayeT-Studios',
    kind: 'offerwall',
    hasScreenOuts: false,
    forms: [],
    offers: [
      offer('77101', 'Castle Keepers', 'Reach chapter 4', 300, 1_000n),
      offer('77118', 'Tom’s Diner (EU)', 'Serve 100 guests', 120, 640n),
      offer('77125', 'Night Sky *', 'Install and look at 3 planets', 6, 70n),
      offer('77139', 'Train Yard', 'Reach level 8', 150, 520n),
      offer('77142', 'Budget Radar', 'Register', 4, 210n),
      offer('77160', 'Pixel Pets', 'Raise one to level 10', 90, 380n),
    ],
  },
};

/** An id as each company writes it, from a number that was not used before. */
export function transactionIdOf(wall: WallId, number: string): string {
  if (wall === 'cpx') return number;
  if (wall === 'ayetstudios') return createHash('sha1').update(number).digest('hex');
  return `${{ bitlabs: 's', theoremreach: 'tr', kiwiwall: 'kw-', wannads: 'W-', adgem: 'tx-' }[wall]}${number}`;
}

export const wallIds = Object.keys(walls) as WallId[];

export const isWallId = (id: string): id is WallId => Object.hasOwn(walls, id);
