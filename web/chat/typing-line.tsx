import { useTranslation } from 'react-i18next';
import styles from './typing-line.module.css';

/** Who is typing. It is not told to screen readers, because it would interrupt them all the time. */
export function TypingLine({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  const [name, other] = names;
  const manner = names.length > 2 ? 'many' : other === undefined ? 'one' : 'two';
  return (
    <div className={styles.typing}>
      {name !== undefined && (
        <>
          <span className={styles.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span className={styles.names} dir="auto">
            {t(`chat.typing.${manner}`, { name, other })}
          </span>
        </>
      )}
    </div>
  );
}
