import { IconLanguage } from '@tabler/icons-react';
import { languageNames } from '#web/client/languages.ts';
import styles from './language-link.module.css';
import { useLanguageChoice } from './use-language-choice.ts';

/** Switches to the other language. It is labelled in that language, for readers who don't know the current one. */
export function LanguageLink() {
  const { other, choose } = useLanguageChoice();
  return (
    <button type="button" className={styles.link} lang={other} onClick={() => choose(other)}>
      <IconLanguage size={16} stroke={2} aria-hidden="true" />
      {languageNames[other]}
    </button>
  );
}
