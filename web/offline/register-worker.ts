/**
 * Sets up the service worker once the page has loaded, so that it takes nothing from the first paint. A browser that
 * has none, or refuses one, shows the same pages without it.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => {
    navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
      console.info('The service worker was not set up.', error);
    });
  };
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
