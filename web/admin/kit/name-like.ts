/** Whether a searched text can be a name, and no id, address or number. */
export const isNameLike = (text: string): boolean => /^[\p{L}\p{M}][\p{L}\p{M}\s.,'’·-]*$/u.test(text.trim());
