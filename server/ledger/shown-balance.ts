/** The balance that a member sees, in points: never below zero. What is owed instead is `shownDebt`. */
export const shownBalance = (balance: bigint): string => String(balance < 0n ? 0n : balance);

/** What a member owes, in points: what reversals took beyond the balance, else 0. */
export const shownDebt = (balance: bigint): string => String(balance < 0n ? -balance : 0n);
