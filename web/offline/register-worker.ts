/**
 * Registers the service worker after the page has loaded, so that it doesn't delay the first paint. Browsers without
 * service workers show the same pages.
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
