/** The browser's time zones, grouped by continent, for a searchable select. */
export type ZoneGroup = { group: string; items: { value: string; label: string }[] };

const nameOf = (zone: string) =>
  zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ', ');

/** Includes `current` even if the browser uses another name for that zone. */
export function zoneGroups(current: string): ZoneGroup[] {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  const groups = new Map<string, ZoneGroup>();
  for (const zone of [...zones].sort()) {
    const group = zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'UTC';
    const found = groups.get(group) ?? { group, items: [] };
    found.items.push({ value: zone, label: nameOf(zone) });
    groups.set(group, found);
  }
  return [...groups.values()];
}
