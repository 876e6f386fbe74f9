import { registerWorker } from '#web/offline/register-worker.ts';

/**
 * The script of a prerendered page: it stores the chosen language, registers the service worker, and asks for consent
 * if the site counts visits.
 */
for (const link of document.querySelectorAll<HTMLElement>('[data-language]')) {
  link.addEventListener('click', () => {
    const language = link.dataset.language ?? 'en';
    localStorage.setItem('language', language);
    // biome-ignore lint/suspicious/noDocumentCookie: the server chooses the page's language by this cookie.
    document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
  });
}

for (const link of document.querySelectorAll('[data-reload]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    window.location.reload();
  });
}

const measurementId = document.querySelector<HTMLMetaElement>('meta[name="measurement-id"]')?.content ?? '';
if (measurementId !== '') {
  const { measurePage } = await import('#web/analytics/measure-page.ts');
  measurePage(measurementId);
}

registerWorker();
