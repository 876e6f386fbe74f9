import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readSurveys, surveyCategories } from '#contract/earning-catalogue.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useMinutes } from '#web/ui/listing-row.tsx';
import styles from './catalogue-page.module.css';
import { averagesOf, type Survey } from './listing-order.ts';
import { ListingResults } from './listing-results.tsx';
import { ListingSkeletons } from './listing-skeletons.tsx';
import { SurveyPitch } from './survey-pitch.tsx';
import { useCatalogueLanguage } from './use-catalogue-language.ts';
import { useOpenWall } from './use-open-wall.ts';
import { WallDialog } from './wall-dialog.tsx';

type Category = (typeof surveyCategories)[number];

/** Surveys of the catalogue by category, with each category's average duration and reward. */
export function SurveysPage() {
  const { t } = useTranslation();
  const { category } = useSearch({ from: '/member/surveys' });
  const navigate = useNavigate({ from: '/surveys' });
  const { id, close } = useOpenWall();
  const surveys = useRead(readSurveys, { query: { lang: useCatalogueLanguage() } });
  const show = (chosen: Category | undefined) =>
    void navigate({
      search: ({ category: _before, ...rest }) =>
        chosen === undefined ? rest : { ...rest, category: chosen },
      resetScroll: false,
    });
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{t('surveys.title')}</h1>
          <p className={`dim ${styles.lead}`}>{t('surveys.lead')}</p>
        </div>
        <Link className="link" to="/cpx-surveys">
          {t('surveys.start')}
        </Link>
      </div>
      <SurveyPitch />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of filter buttons, not of form fields. */}
      <div className={styles.categories} role="group" aria-label={t('surveys.categoriesLabel')}>
        {surveyCategories.map((one) => (
          <CategoryTile
            key={one}
            category={one}
            surveys={surveys.data?.filter((survey) => survey.category === one)}
            isChosen={category === one}
            onChoose={() => show(category === one ? undefined : one)}
          />
        ))}
      </div>
      <section className="card" aria-labelledby="list">
        <h2 id="list" className="visually-hidden">
          {t('surveys.list')}
        </h2>
        {surveys.isPending && <ListingSkeletons />}
        {surveys.isError && (
          <ErrorState
            title={t('catalogue.failedTitle')}
            text={t('catalogue.failedText')}
            requestId={requestIdOf(surveys.error)}
            onRetry={() => void surveys.refetch()}
          />
        )}
        {surveys.data !== undefined && (
          <Surveys surveys={surveys.data} category={category} onShowAll={() => show(undefined)} />
        )}
      </section>
      <WallDialog id={id} onClose={close} />
    </>
  );
}

type CategoryTileProps = {
  category: Category;
  surveys: Survey[] | undefined;
  isChosen: boolean;
  onChoose: () => void;
};

/** Takes the place of the count while the surveys load, so that the name wraps as it will with them. */
const COUNT_LIKELY = 10;

/** A category with its averages. Pressing it filters by it, pressing it again shows all. */
function CategoryTile({ category, surveys, isChosen, onChoose }: CategoryTileProps) {
  const { t } = useTranslation();
  const minutes = useMinutes();
  const averages = surveys === undefined ? null : averagesOf(surveys);
  const nothing = surveys === undefined ? '–' : t('surveys.none');
  return (
    <button type="button" className={styles.category} aria-pressed={isChosen} onClick={onChoose}>
      <span className={styles.categoryName}>
        {t(`listing.categories.${category}`)}
        <small style={{ visibility: surveys === undefined ? 'hidden' : undefined }}>
          {t('surveys.count', { count: surveys?.length ?? COUNT_LIKELY })}
        </small>
      </span>
      <span className={styles.facts}>
        <span>
          <span className={styles.factLabel}>{t('surveys.averageTime')}</span>
          <span className={`num ${styles.factValue}`}>{averages ? minutes(averages.minutes) : nothing}</span>
        </span>
        <span>
          <span className={styles.factLabel}>{t('surveys.averageReward')}</span>
          <span className={`num ${styles.factValue}`}>
            {averages ? formatAmount(averages.reward) : nothing}
          </span>
        </span>
      </span>
    </button>
  );
}

type SurveysProps = { surveys: Survey[]; category: Category | undefined; onShowAll: () => void };

function Surveys({ surveys, category, onShowAll }: SurveysProps) {
  const { t } = useTranslation();
  const shown = surveys.filter((survey) => category === undefined || survey.category === category);
  return (
    <ListingResults area="surveys" count={surveys.length} shown={shown} onShowAll={onShowAll}>
      {category !== undefined && (
        <button type="button" className="link caption" onClick={onShowAll}>
          {t('surveys.showAll')}
        </button>
      )}
    </ListingResults>
  );
}
