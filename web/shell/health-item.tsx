import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readHealth } from '#contract/health.ts';
import { formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { withWords } from '#web/client/words.ts';
import { OperatorItem } from './operator-item.tsx';

const POLL_MS = 30_000;

const HealthDialog = lazy(() =>
  withWords(import('#web/admin/panel/health-dialog.tsx'), 'admin/panel').then((file) => ({
    default: file.HealthDialog,
  })),
);

/** What is not well on the server, as an item of the operators' rail. It is there only while something is not well. */
export function HealthItem() {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const troubles = useRead(readHealth, undefined, { refetchInterval: POLL_MS }).data?.troubles ?? [];
  if (troubles.length === 0) return null;
  return (
    <>
      <button type="button" onClick={open}>
        <OperatorItem
          icon={IconAlertTriangle}
          label={t('panel.health')}
          count={formatPoints(troubles.length)}
        />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <HealthDialog isOpen troubles={troubles} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
