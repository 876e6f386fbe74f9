import { Button } from '@mantine/core';
import { IconPalette } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/client/session.ts';
import styles from './profile-page.module.css';
import { ThemeBubble } from './theme-bubble.tsx';
import { themeOf } from './use-theme-choice.ts';

const ThemeDialog = lazy(() => import('./theme-dialog.tsx').then((file) => ({ default: file.ThemeDialog })));

/** The colours of the member's chat messages, and the button that changes them. */
export function ThemeCard() {
  const { t } = useTranslation();
  const { chatTheme, chatBubbleColor, chatTextColor } = themeOf(useMember());
  const [isOpen, setOpen] = useState(false);
  const [wasWanted, setWanted] = useState(false);
  return (
    <section className={`card ${styles.theme}`} aria-labelledby="chat-theme">
      <h2 id="chat-theme">{t('profile.theme')}</h2>
      <p className="small dim">{t('profile.themeText')}</p>
      <p className={styles.current}>
        <ThemeBubble bubbleColor={chatBubbleColor} textColor={chatTextColor}>
          {t('chatTheme.sampleMine')}
        </ThemeBubble>
      </p>
      <div className={styles.themeFoot}>
        <span className={styles.themeName}>{t(`chatTheme.names.${chatTheme}`)}</span>
        <Button
          variant="default"
          leftSection={<IconPalette size={20} stroke={1.75} aria-hidden="true" />}
          onClick={() => {
            setWanted(true);
            setOpen(true);
          }}
        >
          {t('profile.change')}
        </Button>
      </div>
      {wasWanted && (
        <Suspense>
          <ThemeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
