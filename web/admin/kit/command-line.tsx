import { useTranslation } from 'react-i18next';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './command-line.module.css';

/** A command within a sentence, on a line of its own if it has no room. It never breaks. */
export function InlineCommand({ command }: { command: string }) {
  const { t } = useTranslation();
  return (
    <span className={styles.inline}>
      <code>{command}</code>
      <CopyButton text={command} label={t('list.copyCommand')} size={24} />
    </span>
  );
}

/** A command to type on the server, whole, to be copied. */
export function CommandLine({ command }: { command: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.line}>
      <code>{command}</code>
      <CopyButton text={command} label={t('list.copyCommand')} size={32} />
    </p>
  );
}
