import { IconLanguage } from '@tabler/icons-react';
import { languageNames } from '#web/client/languages.ts';
import styles from './language-link.module.css';
import { useLanguageChoice } from './use-language-choice.ts';

/** Changes to the other language; it is named in itself, for whoever can't read this one. */
export function LanguageLink() {
  const { other, choose } = useLanguageChoice();
  return (
    <button type="button" className={styles.link} lang={other} onClick={() => choose(other)}>
      <IconLanguage size={16} stroke={2} aria-hidden="true" />
      {languageNames[other]}
    </button>
  );
}
