/** Parsers of a page's URL search. They leave out invalid values and defaults. */

/** The page of a list. The first page is the default and is left out. */
export const pageOf = (value: unknown): { page?: number } =>
  Number.isSafeInteger(Number(value)) && Number(value) > 1 ? { page: Number(value) } : {};

/** A text, left out if it is empty. */
export function textOf<Name extends string>(
  name: Name,
  search: Record<string, unknown>,
): { [K in Name]?: string } {
  const value = search[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (text === '' ? {} : { [name]: text }) as { [K in Name]?: string };
}

/** One of the given values, left out if it is none of them. */
export const oneOf = <Name extends string, const Value extends string>(
  name: Name,
  values: readonly Value[],
  search: Record<string, unknown>,
): { [K in Name]?: Value } => {
  const value = values.find((one) => one === search[name]);
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
};
