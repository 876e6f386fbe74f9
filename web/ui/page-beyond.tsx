import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './empty-state.tsx';

type PageBeyondProps = { onFirst: () => void };

/** The state of a page behind the last one of a list, with the way to the first page. */
export function PageBeyond({ onFirst }: PageBeyondProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('common.beyond.title')}
      text={t('common.beyond.text')}
      action={<Button onClick={onFirst}>{t('common.beyond.action')}</Button>}
    />
  );
}
