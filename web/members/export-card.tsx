import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readExport } from '#contract/members.ts';
import { useFileLink } from '#web/ui/use-file-link.ts';
import styles from './settings-page.module.css';

/** Downloads all data of the account as a file. */
export function ExportCard() {
  const { t } = useTranslation();
  const file = useFileLink(readExport, {});
  return (
    <section className={`card ${styles.block} ${styles.beside}`} aria-labelledby="export">
      <div>
        <h2 id="export">{t('settings.export.title')}</h2>
        <p className={`small dim ${styles.headText}`}>{t('settings.export.lead')}</p>
      </div>
      <Button
        component="a"
        {...file}
        variant="default"
        leftSection={<IconDownload size={20} stroke={1.75} aria-hidden="true" />}
      >
        {t('settings.export.download')}
      </Button>
    </section>
  );
}
