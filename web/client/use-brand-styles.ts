import { useEffect } from 'react';
import { brandStyles } from '#contract/brand-styles.ts';
import { useSiteConfig } from './session.ts';

/** Keeps the colours of an open page those of the site's configuration. The document came with those of its time. */
export function useBrandStyles(): void {
  const colors = useSiteConfig().data?.brand.colors;
  useEffect(() => {
    const element = document.querySelector('style[data-brand]');
    if (colors === undefined || element === null) return;
    const styles = brandStyles(colors);
    if (element.textContent !== styles) element.textContent = styles;
  }, [colors]);
}
