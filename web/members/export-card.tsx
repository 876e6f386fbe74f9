import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readExport } from '#contract/members.ts';
import styles from './settings-page.module.css';

/** Downloads all data of the account as a file. A plain link, so that the browser streams it to disk. */
export function ExportCard() {
  const { t } = useTranslation();
  return (
    <section className={`card ${styles.block} ${styles.beside}`} aria-labelledby="export">
      <div>
        <h2 id="export">{t('settings.export.title')}</h2>
        <p className={`small dim ${styles.headText}`}>{t('settings.export.lead')}</p>
      </div>
      <Button
        component="a"
        href={readExport.path}
        download
        variant="default"
        leftSection={<IconDownload size={20} stroke={1.75} aria-hidden="true" />}
      >
        {t('settings.export.download')}
      </Button>
    </section>
  );
}
