import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatTimeInFull } from '#web/client/format.ts';
import { namesShown } from './comparison.ts';

const MASKED = '***encrypted***';
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const POINTS = /^-?\d{4,15}$/;
/** Fields of points, whose digits are grouped. */
const isPoints = (name: string) => /(Points|Amount|Fee|memberDay|methodDay|secondPersonFrom)$/.test(name);

/** Whether the value of a field is a state, a role or the mode of a rule. */
const namesState = (path: readonly string[]) =>
  ['status', 'state', 'role'].includes(path.at(-1) ?? '') || path[0] === 'riskRules';

/** A name of the program as words: `payoutsPaused` becomes “payouts paused”. */
const spaced = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** The words for the fields of acts and for their values. A field without words of its own is named as it is stored. */
export function useFieldWords() {
  const { t, i18n } = useTranslation();
  const wordOf = (key: string, fallback: string) =>
    i18n.exists(key) ? String(t(key as ParseKeys)) : fallback;
  /** The key of the words for a value that the program names, such as `earnings_blocked`. */
  const valueKeyOf = (path: readonly string[], name: string, value: string) => {
    const keys = [
      `auditTrail.valuesOf.${name}.${value}`,
      ...(name === 'newCredentials' ? [`auditTrail.fields.${value}`] : []),
      ...(namesState(path) ? [`auditTrail.values.${value}`] : []),
    ];
    return keys.find((key) => i18n.exists(key)) as ParseKeys | undefined;
  };
  const textOf = (path: readonly string[], value: unknown): string => {
    const name = path.at(-1) ?? '';
    if (value === undefined || value === null || value === '') return t('auditTrail.values.none');
    if (typeof value === 'boolean') return t(`auditTrail.values.${value ? 'yes' : 'no'}`);
    if (value === MASKED) return t('auditTrail.values.hidden');
    if (Array.isArray(value)) return value.map((one) => textOf(path, one)).join('\n') || textOf(path, null);
    if (typeof value === 'object') return JSON.stringify(value);
    const text = String(value);
    const known = valueKeyOf(path, name, text);
    if (known !== undefined) return String(t(known));
    if (TIME.test(text)) return formatTimeInFull(text, i18n.language);
    return isPoints(name) && POINTS.test(text) ? formatAmount(text) : text;
  };
  return {
    labelOf: (path: readonly string[]) =>
      namesShown(path)
        .map((name) => wordOf(`auditTrail.fields.${name}`, spaced(name)))
        .join(' · '),
    textOf,
  };
}
