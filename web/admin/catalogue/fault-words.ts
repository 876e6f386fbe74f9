/**
 * The faults that the server finds in an entry, as keys of the words. A fault has a field and the server's message,
 * which is English. Whatever the server says of a field's form, it is one sentence here.
 */

/** The fields of an entry that have a sentence about their form. */
export const fieldNames = [
  'id',
  'kind',
  'category',
  'provider',
  'title',
  'titleKo',
  'description',
  'descriptionKo',
  'reward',
  'minutes',
  'url',
  'steps',
  'isEnabled',
  'expiresAt',
  'picture',
] as const;
export type Field = (typeof fieldNames)[number];
const stepFields = ['title', 'titleKo', 'points', 'days'] as const;
type StepField = (typeof stepFields)[number];

/** Messages that are the same in every field, and what is read from them. */
const messages = [
  { key: 'required', pattern: /^Required$/ },
  { key: 'tooLong', pattern: /^At most (?<max>\d+) characters$/ },
  { key: 'character', pattern: /^(?:Control characters are|Half a character, .* is) not allowed$/ },
  { key: 'sumOfSteps', pattern: /^Must be the sum of the steps$/ },
  { key: 'sumTooLarge', pattern: /^The sum is too large$/ },
  { key: 'years', pattern: /^Must be in the years / },
  { key: 'pictureSize', pattern: /^At most (?<max>\d+) KiB$/ },
  { key: 'noEntry', pattern: /^There is no entry (?<id>\d+)$/ },
  { key: 'idTwice', pattern: /^(?<id>\d+) is there twice$/ },
  { key: 'noProvider', pattern: /^There is no provider (?<name>.*)$/s },
] as const;

type MessageKey = (typeof messages)[number]['key'];

/** What a sentence of the words is filled with. */
export type FaultValues = Partial<Record<'id' | 'name' | 'max' | 'cells' | 'wanted' | 'text', string>>;

/** A sentence of the words: its key below `catalogue.faults`, its values, and the number of the step it is about. */
export type Fault = {
  key: `messages.${MessageKey}` | `fields.${Field}` | `steps.${StepField}`;
  values: FaultValues;
  /** The step from 1. */
  step?: number;
};

function found<Key extends string>(
  list: readonly { key: Key; pattern: RegExp }[],
  message: string,
): { key: Key; values: FaultValues } | undefined {
  for (const { key, pattern } of list) {
    const match = pattern.exec(message);
    if (match !== null) return { key, values: { ...match.groups } };
  }
  return undefined;
}

const isOneOf = <One extends string>(list: readonly One[], text: string | undefined): text is One =>
  (list as readonly (string | undefined)[]).includes(text);

/** The fault of a field by its path, such as `steps.0.points`; undefined for a path that is no field. */
export function faultOfField(path: string, message: string): Fault | undefined {
  const [field, place, part] = path.split('.');
  if (!isOneOf(fieldNames, field)) return undefined;
  const isInStep = field === 'steps' && place !== undefined && /^\d+$/.test(place);
  const step = isInStep ? { step: Number(place) + 1 } : {};
  const known = found(messages, message);
  if (known !== undefined) return { key: `messages.${known.key}`, values: known.values, ...step };
  if (isInStep && isOneOf(stepFields, part)) return { key: `steps.${part}`, values: {}, ...step };
  return { key: `fields.${field}`, values: {} };
}
