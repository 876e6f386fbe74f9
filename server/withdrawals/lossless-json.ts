export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** JSON whose numbers stay exact: small whole ones are numbers, all others are the text they were written as. */
export function parseLosslessly(text: string): Json | undefined {
  try {
    return JSON.parse(text, (_name, value: Json, context?: { source?: string }) =>
      typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
        ? context.source
        : value,
    ) as Json;
  } catch {
    return undefined; // not JSON: the caller says what that means
  }
}

function isExact(value: number, source: string): boolean {
  return Number.isSafeInteger(value) && String(value) === source;
}
