/** The balance that a member sees, in points, at least 0. `shownDebt` is the rest of a negative balance. */
export const shownBalance = (balance: bigint): string => String(balance < 0n ? 0n : balance);

/** A member's debt, in points: a negative balance, which reversals cause; else 0. */
export const shownDebt = (balance: bigint): string => String(balance < 0n ? -balance : 0n);
