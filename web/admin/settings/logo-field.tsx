import { Button } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LOGO_BYTES_MAX, LOGO_PATH, LOGO_SIDE_MAX, LOGO_SIDE_MIN } from '#contract/brand.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { Mark } from '#web/ui/mark.tsx';
import styles from './brand-card.module.css';
import settings from './settings.module.css';
import { isNewFile } from './site-draft.ts';
import type { Form } from './use-site-form.ts';

export const logoUrlOf = (logo: string): string | null =>
  logo === '' ? null : isNewFile(logo) ? logo : `${LOGO_PATH}${logo}`;

type Fault = 'type' | 'bytes' | 'side';

/** Reads a chosen file. What the server would refuse is said at once. */
async function readLogo(file: File): Promise<{ url: string } | { fault: Fault }> {
  if (!['image/png', 'image/jpeg', 'image/webp'].includes(file.type)) return { fault: 'type' };
  if (file.size > LOGO_BYTES_MAX) return { fault: 'bytes' };
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return { fault: 'type' };
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return width === height && width >= LOGO_SIDE_MIN && width <= LOGO_SIDE_MAX ? { url } : { fault: 'side' };
}

/** The logo: a file, or the mark of the site. */
export function LogoField({ form: { draft, change, messageOf } }: { form: Form }) {
  const { t } = useTranslation();
  const [id, faultId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const url = logoUrlOf(draft.logo);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readLogo(file);
    setFault('fault' in read ? read.fault : null);
    if ('url' in read) change({ logo: read.url });
  };
  const limits = { bytes: LOGO_BYTES_MAX / 1_024, min: LOGO_SIDE_MIN, max: LOGO_SIDE_MAX };
  const message =
    fault === null ? messageOf('brand.logo') : t(`siteSettings.brand.logoFaults.${fault}`, limits);
  return (
    <fieldset className={styles.logoGroup} aria-describedby={message === undefined ? id : `${id} ${faultId}`}>
      <legend className={styles.label}>{t('siteSettings.fields.logo')}</legend>
      <div className={styles.logo}>
        <span className={styles.logoPlate}>
          {url === null ? <Mark size={40} /> : <img src={url} alt="" width={40} height={40} />}
        </span>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('siteSettings.brand.logoFile')}
          accept="image/png,image/jpeg,image/webp"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            void choose(file);
          }}
        />
        <Button variant="default" onClick={() => input.current?.click()}>
          {t('siteSettings.brand.chooseLogo')}
        </Button>
        {draft.logo !== '' && (
          <Button
            variant="subtle"
            onClick={() => {
              setFault(null);
              change({ logo: '' });
            }}
          >
            {t('siteSettings.brand.noLogo')}
          </Button>
        )}
      </div>
      <p id={id} className={settings.help}>
        {t('siteSettings.brand.logoHelp', limits)}
      </p>
      {message !== undefined && (
        <div id={faultId} className={styles.fault} role="alert">
          {fieldError(message)}
        </div>
      )}
    </fieldset>
  );
}
