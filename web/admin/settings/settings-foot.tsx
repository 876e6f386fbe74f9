import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConnectionStep } from '#contract/connection.ts';
import { SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { UnsavedGuard } from '#web/admin/kit/unsaved-guard.tsx';
import { ConnectionOutcome } from './connection-result.tsx';
import styles from './settings.module.css';

type SettingsFootProps = {
  form: {
    base: { name: string };
    isChanged: boolean;
    isSaving: boolean;
    isTesting: boolean;
    /** Another operator changed the settings meanwhile. */
    isStale: boolean;
    failure: string | null;
    /** What the last test found; null without one. */
    steps: readonly ConnectionStep[] | null;
    test: () => void;
    showStored: () => void;
  };
  canTest?: boolean;
  /** False while a value is missing, without which nothing can be tested or saved. */
  isComplete?: boolean;
};

/** The foot of a settings card: the test of the connection, and saving. */
export function SettingsFoot({ form, canTest = true, isComplete = true }: SettingsFootProps) {
  const { t } = useTranslation();
  const { base, isChanged, isSaving, isTesting, isStale, failure, steps, test, showStored } = form;
  return (
    <SheetFoot
      fine={
        steps === null ? (
          t(isChanged ? 'connection.unsaved' : 'connection.saved')
        ) : (
          <ConnectionOutcome steps={steps} />
        )
      }
      failure={failure}
      fields={
        isStale && (
          <Button className={styles.stale} variant="default" fullWidth onClick={showStored}>
            {t('connection.showStored')}
          </Button>
        )
      }
    >
      <UnsavedGuard isChanged={isChanged} />
      {canTest && (
        <Button variant="default" loading={isTesting} disabled={isSaving || !isComplete} onClick={test}>
          {t('connection.test')}
        </Button>
      )}
      <Button type="submit" className={styles.save} loading={isSaving} disabled={!isChanged || !isComplete}>
        {t('connection.save', { name: base.name })}
      </Button>
    </SheetFoot>
  );
}
