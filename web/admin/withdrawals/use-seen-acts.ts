import { useLocalStorage } from '@mantine/hooks';

const SEEN_MAX = 50;

/** The acts on many requests whose result was seen, kept in the browser. */
export function useSeenActs() {
  const [seen, setSeen] = useLocalStorage<string[]>({
    key: 'seenBulkActs',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const see = (id: string) => setSeen((ids) => [...ids.filter((one) => one !== id), id].slice(-SEEN_MAX));
  return { seen, see };
}
