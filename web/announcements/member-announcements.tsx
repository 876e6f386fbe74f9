import { ActionIcon, Button } from '@mantine/core';
import { IconSpeakerphone, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Announcement } from '#contract/announcements.ts';
import styles from './announcements.module.css';
import { useLatest } from './use-latest.ts';

const AnnouncementsDialog = lazy(() =>
  import('./announcements-dialog.tsx').then((code) => ({ default: code.AnnouncementsDialog })),
);

/**
 * The newest announcement in a banner under the top bar until it is dismissed, then a button in the corner. Both open
 * the list of all.
 */
export function MemberAnnouncements() {
  const { latest, isDismissed, dismiss } = useLatest();
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  /** Whether the focus was on the banner's button, which has gone with it. */
  const [takesFocus, setTakesFocus] = useState(false);
  const open = () => {
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      {latest !== null && !isDismissed && (
        <Banner
          announcement={latest}
          onOpen={open}
          onDismiss={() => {
            setTakesFocus(true);
            dismiss();
          }}
        />
      )}
      {isDismissed && <FloatingButton takesFocus={takesFocus} onOpen={open} />}
      {isWanted && (
        <Suspense>
          <AnnouncementsDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

type BannerProps = { announcement: Announcement; onOpen: () => void; onDismiss: () => void };

function Banner({ announcement, onOpen, onDismiss }: BannerProps) {
  const { t } = useTranslation();
  return (
    <section className={styles.banner} aria-label={t('announcements.label')}>
      <div className={`wrap ${styles.inner}`}>
        <IconSpeakerphone className={styles.sign} size={20} stroke={1.75} aria-hidden="true" />
        <p className={styles.text}>
          <b>{announcement.title}</b> <span>{announcement.content}</span>
        </p>
        <Button className={styles.all} size="sm" variant="default" onClick={onOpen}>
          {t('announcements.viewAll')}
        </Button>
        <ActionIcon className={styles.dismiss} onClick={onDismiss} aria-label={t('announcements.dismiss')}>
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
      </div>
    </section>
  );
}

function FloatingButton({ takesFocus, onOpen }: { takesFocus: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <Button
      ref={button}
      className={styles.floating}
      variant="default"
      radius="xl"
      leftSection={<IconSpeakerphone size={20} stroke={1.75} aria-hidden="true" />}
      onClick={onOpen}
    >
      {t('announcements.title')}
    </Button>
  );
}
