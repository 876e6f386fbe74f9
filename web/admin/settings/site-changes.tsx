import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import comparison from '#web/admin/kit/comparison.module.css';
import { isNewFile, type ListedChange } from './site-draft.ts';

/** What saving changes: each field with what is stored and what is typed. */
export function SiteChanges({ changes }: { changes: readonly ListedChange[] }) {
  const { t } = useTranslation();
  const textOf = (text: string): string => {
    if (text === '') return t('siteSettings.changes.none');
    if (text === 'true' || text === 'false') return t(text === 'true' ? 'connection.on' : 'connection.off');
    return isNewFile(text) ? t('siteSettings.changes.newFile') : text;
  };
  return (
    <table className={clsx(comparison.comparison, 'num')}>
      <thead>
        <tr>
          <th scope="col">{t('siteSettings.changes.setting')}</th>
          <th scope="col">{t('siteSettings.changes.from')}</th>
          <th scope="col">{t('siteSettings.changes.to')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, day, from, to }) => (
          <tr key={`${field} ${day ?? ''}`}>
            <th scope="row">
              {t(`siteSettings.fields.${field}`)}
              {day !== undefined && `, ${t('siteSettings.bonus.day', { day })}`}
            </th>
            <td>{textOf(from)}</td>
            <td>{textOf(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
