import { useTranslation } from 'react-i18next';
import { formatAge, formatTime } from '#web/client/format.ts';

/** How long ago something was, with the time as its title. */
export function Age({ at, isQuiet = false }: { at: string; isQuiet?: boolean }) {
  const { language } = useTranslation().i18n;
  return (
    <span className={isQuiet ? 'dim' : undefined} title={formatTime(at, language)}>
      {formatAge(at, language)}
    </span>
  );
}
