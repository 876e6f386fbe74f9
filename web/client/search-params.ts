import type { AnyRoute } from '@tanstack/react-router';

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

/** Several texts of an address, as `textOf` reads each. */
export const textsOf = <Name extends string>(
  names: readonly Name[],
  search: Record<string, unknown>,
): { [K in Name]?: string } => Object.assign({}, ...names.map((name) => textOf(name, search)));

/** One of the given values, left out if it is none of them. */
export const oneOf = <Name extends string, const Value extends string>(
  name: Name,
  values: readonly Value[],
  search: Record<string, unknown>,
): { [K in Name]?: Value } => {
  const value = values.find((one) => one === search[name]);
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
};

/**
 * Hides what the parser of a route and of those below it leaves out. A page would be rendered with it until the router
 * has replaced the address, and would call the server with it.
 */
export function hideLeftOut(route: AnyRoute): void {
  const parse: unknown = route.options.validateSearch;
  if (typeof parse === 'function')
    route.options.validateSearch = (search: Record<string, unknown>) => ({
      ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
      ...parse(search),
    });
  for (const child of Object.values<AnyRoute>(route.children ?? {})) hideLeftOut(child);
}
