import type { PayoutMethod } from '#contract/payout-texts.ts';
import type { Platform } from '#platform/platform.ts';
import { type MethodParts, readOfferedMethods } from './payment-methods.ts';

const READ_EVERY_MS = 5_000;

async function readNamed(platform: MethodParts): Promise<PayoutMethod[]> {
  return (await readOfferedMethods(platform)).map(({ definition: { name, koreanName, destination } }) => ({
    names: { en: name, ko: koreanName },
    beginnings: destination?.code?.(platform.config).beginnings ?? [],
  }));
}

/**
 * Keeps the methods that members may choose, which pages for visitors promise. They are read at a change of what
 * members see, and from time to time, because an account can become unusable. So a page needs no query.
 * @returns a function that returns the current methods
 */
export async function keepMethods(platform: Platform): Promise<() => readonly PayoutMethod[]> {
  const { app, bus, log } = platform;
  let methods: PayoutMethod[] = [];
  let reads = 0;
  const read = async () => {
    reads += 1;
    const own = reads;
    const found = await readNamed(platform);
    if (own === reads) methods = found;
  };
  await read();
  const readQuietly = () =>
    read().catch((error: Error) => log.warn({ error }, 'the payment methods were not read'));
  bus.onSiteChange(() => void readQuietly());
  const timer = setInterval(() => void readQuietly(), READ_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => methods;
}
