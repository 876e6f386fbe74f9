import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#web/client/format.ts';
import { type Step, StepList } from '#web/ui/step-list.tsx';
import type { Activity, ActivityStatus } from './activity-status.ts';
import styles from './activity-track.module.css';

/** The three steps of a click, each with its actual or usual time. */
function stepsOf(line: Activity, status: ActivityStatus, language: string, t: TFunction): Step[] {
  const hours = line.arrivesWithinHours;
  const usually = hours === null ? '' : t('earn.activity.usually', { hours });
  const updatedAt = formatTime(line.updatedAt, language);
  const opened: Step = {
    label: t('earn.activity.opened'),
    note: formatTime(line.openedAt, language),
    state: 'done',
  };
  const pending = { label: t('earn.activity.pending') };
  const credited = { label: t('earn.activity.credited') };
  switch (status) {
    case 'waiting':
      return [
        opened,
        { ...pending, note: t('earn.activity.notYet'), state: 'now' },
        { ...credited, note: usually, state: 'later' },
      ];
    case 'nothing':
      return [
        opened,
        { ...pending, note: t('earn.activity.nothing'), state: 'now' },
        { ...credited, note: usually, state: 'later' },
      ];
    case 'held':
      return [
        opened,
        { ...pending, note: t('earn.activity.held'), state: 'now' },
        { ...credited, note: '', state: 'later' },
      ];
    case 'credited':
      return [
        opened,
        { ...pending, note: '', state: 'done' },
        { ...credited, note: updatedAt, state: 'done' },
      ];
    case 'reversed':
      return [
        opened,
        { ...pending, note: '', state: 'done' },
        { label: t('earn.activity.reversed'), note: updatedAt, state: 'done' },
      ];
  }
}

export function ActivityTrack({ line, status }: { line: Activity; status: ActivityStatus }) {
  const { t, i18n } = useTranslation();
  const ending = status === 'reversed' || status === 'nothing' ? styles[status] : undefined;
  return (
    <StepList
      label={t('earn.activity.steps')}
      className={clsx(styles.track, ending)}
      steps={stepsOf(line, status, i18n.language, t)}
    />
  );
}
