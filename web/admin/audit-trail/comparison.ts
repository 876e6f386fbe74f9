/** One field that an act changed. Its path has several names where the field is part of another. */
export type ComparisonLine = { path: string[]; was: unknown; is: unknown };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The innermost fields of a value with their paths. */
function leavesOf(value: unknown, path: string[] = []): { path: string[]; value: unknown }[] {
  if (!isFields(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
}

/**
 * The changed fields of an act, those before it first. A field that is on one side only is undefined on the other; what
 * is the same on both sides is left out.
 */
export function comparisonOf(before: Fields | null, after: Fields | null): ComparisonLine[] {
  const lines = new Map<string, ComparisonLine>();
  for (const [side, fields] of [
    ['was', before],
    ['is', after],
  ] as const)
    for (const { path, value } of leavesOf(fields ?? {})) {
      const key = path.join('.');
      const line = lines.get(key) ?? { path, was: undefined, is: undefined };
      lines.set(key, { ...line, [side]: value });
    }
  return [...lines.values()].filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is));
}

/** The groups of the site's settings. Their fields have the names of the settings screen, which need no group. */
const settingGroups = ['brand', 'caps', 'rateBounds', 'switches', 'chat'];

/** The names of a field's path that an operator reads. */
export const namesShown = (path: readonly string[]): string[] =>
  path.filter((name, index) => index > 0 || path.length === 1 || !settingGroups.includes(name));
