import { registerWorker } from '#web/offline/register-worker.ts';

/**
 * All that a prerendered page needs of a script: the language that was chosen is kept for the next visit, the service
 * worker is set up, and where the site counts visits, the reader is asked.
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
