/**
 * The service worker. It caches files with a hash in their name, which never change, and shows the offline notice if a
 * page can't be fetched. It caches no other page and no call. Each build has its own worker with its own cache. A new
 * worker starts when the last tab of the old one is closed, so a page never gets another build's files.
 *
 * It is built into `/sw.js` separately and imports nothing. The build sets its two constants.
 */
declare const __OFFLINE_FILES__: string[];
declare const __BUILD__: string;

type ExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void };
type FetchEvent = ExtendableEvent & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (answer: Promise<Response>) => void;
};
type WorkerScope = {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  registration: ServiceWorkerRegistration;
  cookieStore?: { get(name: string): Promise<{ value: string } | null> };
};
const worker = self as unknown as WorkerScope;
const storeName = `earnest-${__BUILD__}`;

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(storeName).then((store) => store.addAll(__OFFLINE_FILES__)));
});

worker.addEventListener('activate', (event) => {
  const deleteOldCaches = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== storeName).map((name) => caches.delete(name)));
    // Requests the page while the worker still starts.
    await worker.registration.navigationPreload?.enable();
  };
  event.waitUntil(deleteOldCaches());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(assetFor(request));
  else if (request.mode === 'navigate' && !url.pathname.startsWith('/api/'))
    event.respondWith(pageFor(event));
});

async function assetFor(request: Request): Promise<Response> {
  const store = await caches.open(storeName);
  const kept = await store.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await store.put(request, answer.clone());
  return answer;
}

async function pageFor(event: FetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (unreachable) {
    const notice = await caches.match(`/offline?lang=${await language()}`);
    if (notice === undefined) throw unreachable;
    return notice;
  }
}

/** The chosen language, else the browser's. */
async function language(): Promise<'en' | 'ko'> {
  const chosen = (await worker.cookieStore?.get('language'))?.value ?? self.navigator.language;
  return chosen.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}
