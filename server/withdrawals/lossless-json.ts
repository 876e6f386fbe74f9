export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Parses JSON without loss: safe integers become numbers, all other numbers stay text. Undefined if it is no JSON. */
export function parseLosslessly(text: string): Json | undefined {
  try {
    return JSON.parse(text, (_name, value: Json, context?: { source?: string }) =>
      typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
        ? context.source
        : value,
    ) as Json;
  } catch {
    return undefined; // the caller decides what invalid JSON means
  }
}

function isExact(value: number, source: string): boolean {
  return Number.isSafeInteger(value) && String(value) === source;
}
