import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const schemes = ['auto', 'light', 'dark'] as const;

/** Chooses the light, dark or system colour scheme. The component library stores it under its own key. */
export function SchemeChoice({ size = 'md', labelledBy }: { size?: 'sm' | 'md'; labelledBy?: string }) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size={size}
      aria-label={labelledBy === undefined ? t('common.scheme') : undefined}
      aria-labelledby={labelledBy}
      value={colorScheme}
      onChange={(value) => setColorScheme(schemes.find((scheme) => scheme === value) ?? 'auto')}
      data={schemes.map((scheme) => ({ value: scheme, label: t(`common.schemes.${scheme}`) }))}
    />
  );
}
