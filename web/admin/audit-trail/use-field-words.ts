import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatTimeInFull } from '#web/client/format.ts';

const MASKED = '***encrypted***';
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const POINTS = /^-?\d{4,15}$/;
/** Fields of points, whose digits are grouped. */
const isPoints = (name: string) => /(Points|Amount|Fee|memberDay|methodDay|secondPersonFrom)$/.test(name);

/** The groups of the site's settings. Their fields have the names of the settings screen, which need no group. */
const settingGroups = ['brand', 'caps', 'rateBounds', 'switches', 'chat'];

/** A name of the program as words: `payoutsPaused` becomes “payouts paused”. */
const spaced = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** The words for the fields of acts and for their values. A field without words of its own is named as it is stored. */
export function useFieldWords() {
  const { t, i18n } = useTranslation();
  const wordOf = (key: string, fallback: string) =>
    i18n.exists(key) ? String(t(key as ParseKeys)) : fallback;
  const textOf = (path: readonly string[], value: unknown): string => {
    const name = path.at(-1) ?? '';
    if (value === undefined || value === null || value === '') return t('auditTrail.values.none');
    if (typeof value === 'boolean') return t(`auditTrail.values.${value ? 'yes' : 'no'}`);
    if (value === MASKED) return t('auditTrail.values.hidden');
    if (Array.isArray(value)) return value.map((one) => textOf(path, one)).join('\n') || textOf(path, null);
    if (typeof value === 'object') return JSON.stringify(value);
    const text = String(value);
    if (TIME.test(text)) return formatTimeInFull(text, i18n.language);
    if (isPoints(name) && POINTS.test(text)) return formatAmount(text);
    return ['status', 'state', 'role'].includes(name) || path[0] === 'riskRules'
      ? wordOf(`auditTrail.values.${text}`, text)
      : text;
  };
  return {
    labelOf: (path: readonly string[]) =>
      path
        .filter((name, index) => index > 0 || path.length === 1 || !settingGroups.includes(name))
        .map((name) => wordOf(`auditTrail.fields.${name}`, spaced(name)))
        .join(' · '),
    textOf,
  };
}
