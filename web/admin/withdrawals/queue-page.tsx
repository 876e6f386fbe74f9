import { useTranslation } from 'react-i18next';

export function QueuePage() {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1}>
      <h1>{t('queue.title')}</h1>
    </main>
  );
}
