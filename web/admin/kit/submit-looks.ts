/** The looks of the button that carries an act out: amber moves money, brick destroys. */
export const submitLooks = { money: { variant: 'money' }, danger: { color: 'brick' }, plain: {} } as const;
export type SubmitTone = keyof typeof submitLooks;
