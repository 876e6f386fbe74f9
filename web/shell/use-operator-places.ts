import { useTranslation } from 'react-i18next';
import { readWaiting } from '#contract/panel.ts';
import type { Place } from '#web/admin/panel/places.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import { operatorPlaces } from './operator-places.ts';

/** Without the live connection the counts are read as often as the list of withdrawals, which changes fastest. */
const POLL_MS = 3_000;

/** The places in the operator's language, each with the count of what waits there. */
export function useOperatorPlaces(): (Place & Pick<(typeof operatorPlaces)[number], 'group'>)[] {
  const { t } = useTranslation();
  const refetchInterval = usePollMs(POLL_MS, readWaiting.topic);
  const { data: counts } = useRead(readWaiting, undefined, { refetchInterval });
  return operatorPlaces.map(({ waiting, ...place }) => ({
    ...place,
    label: t(`panel.places.${place.name}`),
    count: waiting === undefined ? 0 : (counts?.[waiting] ?? 0),
  }));
}
