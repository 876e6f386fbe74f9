import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PICTURE_BYTES_MAX } from '#contract/earning-catalogue-entries.ts';
import { Artwork } from '#web/ui/artwork.tsx';
import styles from './catalogue.module.css';
import { pictureUrlOf } from './entry-preview.tsx';
import type { EntryForm } from './use-entry-form.ts';

const types = ['image/png', 'image/jpeg', 'image/webp'];
const KIB = 1024;

/** The bytes of a file as base64. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The picture of an entry, which is stored on this site. */
export function PictureField({ form }: { form: EntryForm }) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<string | undefined>();
  const url = pictureUrlOf(form);
  const message = fault ?? form.messageOf('picture');
  const max = PICTURE_BYTES_MAX / KIB;
  const choose = async (file: File | null) => {
    if (file === null) return;
    setFault(undefined);
    if (!types.includes(file.type)) setFault(t('catalogueEntries.faults.fields.picture'));
    else if (file.size > PICTURE_BYTES_MAX)
      setFault(t('catalogueEntries.picture.tooLarge', { max, size: Math.ceil(file.size / KIB) }));
    else form.change({ picture: { type: file.type, base64: await base64Of(file) } });
  };
  return (
    <fieldset className={styles.fields}>
      <legend>{t('catalogueEntries.groups.picture')}</legend>
      <div className={styles.picture}>
        <Artwork id={form.base.id} imageUrl={url} />
        <div>
          <div className={styles.pictureButtons}>
            <FileButton accept={types.join(',')} onChange={(file) => void choose(file)}>
              {(props) => (
                <Button {...props} variant="default" size="sm">
                  {t('catalogueEntries.picture.choose')}
                </Button>
              )}
            </FileButton>
            {url !== null && (
              <Button
                variant="subtle"
                size="sm"
                onClick={() => {
                  setFault(undefined);
                  form.change({ picture: null });
                }}
              >
                {t('catalogueEntries.picture.remove')}
              </Button>
            )}
          </div>
          <p className={styles.help}>{t('catalogueEntries.picture.help', { max })}</p>
        </div>
      </div>
      {message !== undefined && (
        <p className={`${styles.wrong} ${styles.whole}`} role="alert">
          {message}
        </p>
      )}
    </fieldset>
  );
}
