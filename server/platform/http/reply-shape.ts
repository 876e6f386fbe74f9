import { z } from 'zod';

/**
 * Limits an answer to the contract's fields, so that no other column of a query is sent. The picker is compiled once
 * per endpoint; picking takes well under a microsecond.
 */
export type Picker = (value: unknown) => unknown;

const asIs: Picker = (value) => value;

/** Makes a function that keeps the fields of a reply's schema. Unions and free records are sent unchanged. */
export function pickerOf(schema: z.ZodType): Picker {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return pickerOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return pickerOfRows(pickerOf(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return pickerOfFields(schema);
  return asIs;
}

function pickerOfRows(pickRow: Picker): Picker {
  if (pickRow === asIs) return asIs;
  return (value) => (Array.isArray(value) ? value.map(pickRow) : value);
}

function pickerOfFields(schema: z.ZodObject): Picker {
  if (schema.def.catchall instanceof z.ZodUnknown) return asIs;
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, pickerOf(field as z.ZodType)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const kept: Record<string, unknown> = {};
    for (const [name, pick] of fields) kept[name] = pick((value as Record<string, unknown>)[name]);
    return kept;
  };
}
