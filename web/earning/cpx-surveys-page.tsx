import { Button } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ApiError, requestIdOf } from '#web/client/call.ts';
import catalogue from './catalogue-page.module.css';
import styles from './cpx-surveys-page.module.css';
import { SurveyPitch } from './survey-pitch.tsx';
import { SuspendedCard } from './suspended-card.tsx';
import { useSurveyTab } from './use-survey-tab.ts';

/** The page with one button that opens CPX Research in a new tab, and a summary of what surveys pay. */
export function CpxSurveysPage() {
  const { t } = useTranslation();
  const { tab, open } = useSurveyTab();
  return (
    <>
      <h1>{t('cpxSurveys.title')}</h1>
      <p className={`dim ${catalogue.lead}`}>{t('cpxSurveys.lead')}</p>
      <SurveyPitch />
      <section className={`card ${styles.card}`} aria-label={t('cpxSurveys.title')}>
        {tab.state === 'failed' && <Failure error={tab.error} />}
        <Button
          size="lg"
          loading={tab.state === 'opening'}
          onClick={() => void open()}
          rightSection={<IconExternalLink size={18} stroke={2} aria-hidden="true" />}
          aria-describedby="start-help"
        >
          {t('cpxSurveys.start')}
        </Button>
        <p id="start-help" className="small dimmer">
          {t('cpxSurveys.startHelp')}
        </p>
        <p role="status" className="small">
          {tab.state === 'opened' && t('cpxSurveys.opened')}
          {tab.state === 'blocked' && (
            <>
              {t('cpxSurveys.popup')}{' '}
              <a className="link" href={tab.url} target="_blank" rel="noopener noreferrer">
                {t('cpxSurveys.popupLink')}
              </a>
            </>
          )}
        </p>
      </section>
      <p className={styles.more}>
        <Link className="link" to="/earn">
          {t('cpxSurveys.more')}
        </Link>
      </p>
    </>
  );
}

/** Shows why the surveys did not open: no permission, no wall URL, or no connection. */
function Failure({ error }: { error: ApiError }) {
  const { t } = useTranslation();
  if (error.code === 'earnings-suspended' || error.code === 'account-suspended')
    return <SuspendedCard code={error.code} />;
  const isConnection = error.code === 'unreachable';
  const requestId = requestIdOf(error);
  return (
    <div role="alert" className={styles.alert}>
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
      <p>
        <b>{t('cpxSurveys.failedTitle')}</b>
        <br />
        {t(isConnection ? 'cpxSurveys.connection' : 'cpxSurveys.noUrl')}
        {!isConnection && requestId !== null && (
          <>
            {' '}
            {t('common.request')} <span className="mono">{requestId}</span>
          </>
        )}
      </p>
    </div>
  );
}
