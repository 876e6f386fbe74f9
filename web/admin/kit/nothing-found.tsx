import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/ui/empty-state.tsx';

type NothingFoundProps = { title: string; text: string; onClear: () => void };

/** A list in which nothing was found, with the way back to all rows. */
export function NothingFound({ title, text, onClear }: NothingFoundProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={title}
      text={text}
      action={
        <Button variant="default" size="sm" onClick={onClear}>
          {t('list.clearFilters')}
        </Button>
      }
    />
  );
}
