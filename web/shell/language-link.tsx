import { IconLanguage } from '@tabler/icons-react';
import styles from './language-link.module.css';
import { languageNames, useLanguage } from './use-language.ts';

/** Changes to the other language; it is named in itself, for whoever can't read this one. */
export function LanguageLink() {
  const { other, choose } = useLanguage();
  return (
    <button type="button" className={styles.link} lang={other} onClick={() => choose(other)}>
      <IconLanguage size={16} stroke={2} aria-hidden="true" />
      {languageNames[other]}
    </button>
  );
}
