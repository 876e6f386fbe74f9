import { ActionIcon, Button, Loader, Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wall } from './provider-tile.tsx';
import styles from './wall-dialog.module.css';

/** After how long a wall that has not loaded is called slow. */
const SLOW_MS = 10_000;

/** A provider's wall over the whole screen, with the site's own bar on top: the way out is always there. */
export function WallDialog({ wall, onClose }: { wall: Wall | null; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal.Root opened={wall !== null} onClose={onClose} fullScreen closeOnEscape>
      <Modal.Content radius={0} aria-label={wall?.name}>
        {wall !== null && (
          <div className={styles.dialog}>
            <div className={styles.bar}>
              <Modal.Title>{wall.name}</Modal.Title>
              <ActionIcon
                size={44}
                onClick={onClose}
                aria-label={t('earn.dialog.close', { provider: wall.name })}
              >
                <IconX size={20} stroke={1.75} />
              </ActionIcon>
            </div>
            <Frame key={wall.id} wall={wall} onClose={onClose} />
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

type FrameState = 'loading' | 'slow' | 'loaded';

/** The frame and what stands over it until it has loaded. Every try is a new frame. */
function Frame({ wall, onClose }: { wall: Wall; onClose: () => void }) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<FrameState>('loading');

  useEffect(() => {
    if (state !== 'loading') return;
    const timer = setTimeout(() => setState('slow'), SLOW_MS);
    return () => clearTimeout(timer);
  }, [state]);

  return (
    <div className={styles.body}>
      <iframe
        key={attempt}
        className={styles.frame}
        src={wall.url}
        title={wall.name}
        allow="clipboard-write"
        onLoad={() => setState('loaded')}
      />
      {state !== 'loaded' && (
        <div className={styles.waiting} role="status">
          <Loader size={36} aria-hidden="true" />
          <p className={styles.title}>
            {state === 'slow' ? t('earn.dialog.slow') : t('earn.dialog.opening', { provider: wall.name })}
          </p>
          {state === 'slow' && (
            <>
              <p className={styles.text}>{t('earn.dialog.slowText', { provider: wall.name })}</p>
              <div className={styles.actions}>
                <Button
                  onClick={() => {
                    setAttempt(attempt + 1);
                    setState('loading');
                  }}
                >
                  {t('common.tryAgain')}
                </Button>
                <Button variant="default" onClick={onClose}>
                  {t('common.close')}
                </Button>
              </div>
            </>
          )}
        </div>
      )}
    </div>
  );
}
