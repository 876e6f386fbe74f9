import { useTranslation } from 'react-i18next';
import { readWaiting } from '#contract/panel.ts';
import type { Place } from '#web/admin/panel/places.ts';
import { useRead } from '#web/client/use-call.ts';
import { operatorPlaces } from './operator-places.ts';

/** The counts are read as often as the list of withdrawals, whose count changes fastest. */
const POLL_MS = 3_000;

/** The places in the operator's language, each with the count of what waits there. */
export function useOperatorPlaces(): (Place & Pick<(typeof operatorPlaces)[number], 'group'>)[] {
  const { t } = useTranslation();
  const { data: counts } = useRead(readWaiting, undefined, { refetchInterval: POLL_MS });
  return operatorPlaces.map(({ waiting, ...place }) => ({
    ...place,
    label: t(`panel.places.${place.name}`),
    count: waiting === undefined ? 0 : (counts?.[waiting] ?? 0),
  }));
}
