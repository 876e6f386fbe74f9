import clsx from 'clsx';
import { type FrameProps, LandingFooter, LandingTop } from '#web/landing/landing-frame.tsx';
import styles from './text-page.module.css';

export type Heading = { id: string; text: string };

/** The placeholder of the article. Its HTML comes from Markdown and is inserted after the frame is rendered. */
export const ARTICLE = '__THE_ARTICLE__';

type TextPageProps = FrameProps & { title: string; lead: string; headings: readonly Heading[] };

/** A text page in the frame of the front page, with its headings beside it if there is room for them. */
export function TextPage({ title, lead, headings, ...frame }: TextPageProps) {
  const { t } = frame;
  return (
    <div className={styles.page}>
      <a className="skip-link" href="#main">
        {t('common.skip')}
      </a>
      <LandingTop {...frame} isText />
      <main
        id="main"
        tabIndex={-1}
        className={clsx('wrap', styles.main)}
        data-plain={headings.length === 0 || undefined}
      >
        <header className={styles.head}>
          <h1>{title}</h1>
          <p>{lead}</p>
        </header>
        {headings.length > 0 && (
          <nav className={styles.contents} aria-label={t('pages.contents')}>
            <ol>
              {headings.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <article className={styles.text}>{ARTICLE}</article>
      </main>
      <LandingFooter {...frame} />
    </div>
  );
}
