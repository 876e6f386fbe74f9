/** A person of the demo world. Their phone numbers are from a range reserved for fiction. */
export type Person = {
  email: string;
  firstName: string;
  lastName: string;
  language: 'en' | 'ko';
  /** Days since they joined. */
  joinedDaysAgo: number;
  /** The number of their rewards. */
  rewards: number;
  /** Their withdrawal, requested `hoursAgo`, and its outcome. */
  withdrawal: {
    outcome: 'pending' | 'approved' | 'rejected';
    hoursAgo: number;
    /** The index of the coin in the sandbox's registry. */
    coin: 0 | 1;
  } | null;
};

type Withdrawal = Person['withdrawal'];
const pending = (hoursAgo: number, coin: 0 | 1 = 0): Withdrawal => ({
  outcome: 'pending',
  hoursAgo,
  coin,
});
const approved = (hoursAgo: number): Withdrawal => ({ outcome: 'approved', hoursAgo, coin: 0 });
const rejected = (hoursAgo: number): Withdrawal => ({ outcome: 'rejected', hoursAgo, coin: 0 });

const person = (
  [firstName, lastName, email]: [string, string, string],
  language: Person['language'],
  [joinedDaysAgo, rewards]: [number, number],
  withdrawal: Withdrawal,
): Person => ({
  firstName,
  lastName,
  email: `${email}@example.org`,
  language,
  joinedDaysAgo,
  rewards,
  withdrawal,
});

export const people: readonly Person[] = [
  person(['민준', '김', 'minjun.kim'], 'ko', [21, 22], approved(40)),
  person(['Olivia', 'Bennett', 'olivia.bennett'], 'en', [21, 18], pending(5)),
  person(['서연', '이', 'seoyeon.lee'], 'ko', [20, 24], pending(19)),
  person(['Noah', 'Fischer', 'noah.fischer'], 'en', [19, 12], null),
  person(['도윤', '박', 'doyun.park'], 'ko', [18, 20], rejected(90)),
  person(['Grace', 'Okafor', 'grace.okafor'], 'en', [16, 16], approved(31)),
  person(['하은', '최', 'haeun.choi'], 'ko', [15, 14], pending(27, 1)),
  person(['Liam', 'Murphy', 'liam.murphy'], 'en', [13, 9], null),
  person(['지호', '정', 'jiho.jung'], 'ko', [11, 15], pending(2)),
  person(['Amara', 'Singh', 'amara.singh'], 'en', [9, 8], null),
  person(['수아', '윤', 'sua.yoon'], 'ko', [6, 7], pending(11)),
  person(['Theo', 'Laurent', 'theo.laurent'], 'en', [2, 0], null),
];

/** The demo member's referrals. The last one has not earned yet. */
export const friendsOfMember: ReadonlySet<string> = new Set(
  ['noah.fischer', 'liam.murphy', 'sua.yoon', 'theo.laurent'].map((name) => `${name}@example.org`),
);

/** A fictional phone number: 555-01xx of area code 307. */
export const phoneOf = (index: number): string => `+130755501${String(index + 61).padStart(2, '0')}`;
