import { z } from 'zod';
import { providerId } from './earning.ts';
import { surveyCategories, taskCategories } from './earning-catalogue.ts';
import { endpoint, nothing } from './endpoint.ts';
import {
  CONTROL_FAULT,
  givenTime,
  HALF_FAULT,
  isWhole,
  optionalText,
  points,
  positivePoints,
  rowId,
  text,
  time,
} from './fields.ts';
import { operatorList } from './operator-list.ts';
import { settingsVersion } from './settings-version.ts';

/** The catalogue as operators keep it: each entry with all its texts, its place and whether members see it. */

export const entryKinds = ['task', 'survey'] as const;
export const entryCategories = [...taskCategories, ...surveyCategories] as const;
/** The categories of each kind. */
export const categoriesOf = { task: taskCategories, survey: surveyCategories } as const;

/**
 * Whether members see it. `hidden`: an operator switched it off. `unreachable`: the wall of its provider can't be
 * opened.
 */
export const entryStates = ['shown', 'hidden', 'expired', 'unreachable'] as const;

export const ENTRY_TITLE_MAX = 200;
export const ENTRY_DESCRIPTION_MAX = 1_000;
export const ENTRY_STEPS_MAX = 20;
export const ENTRY_MINUTES_MAX = 100_000;
/** The largest picture in bytes. */
export const PICTURE_BYTES_MAX = 64 * 1024;

const POINTS_MAX = 1_000_000_000_000_000n;
const DAYS_MAX = 1_000;

/** A text that may be absent, blank or null, which is the same. */
const textOrNull = (lengthMax: number) =>
  optionalText(lengthMax)
    .transform((value) => value || null)
    .nullable()
    .default(null);

const step = z.strictObject({
  title: text(ENTRY_TITLE_MAX),
  /** Without a Korean text the English one is shown. */
  titleKo: textOrNull(ENTRY_TITLE_MAX),
  points: positivePoints,
  /** The days from the start in which the step must be done. */
  days: z.number().int().min(1).max(DAYS_MAX).nullable().default(null),
});
export type EntryStep = z.output<typeof step>;

const minutes = z.number().int().min(1).max(ENTRY_MINUTES_MAX);

const entry = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  category: z.enum(entryCategories),
  provider: z.string(),
  title: z.string(),
  titleKo: z.string().nullable(),
  description: z.string(),
  descriptionKo: z.string().nullable(),
  reward: points,
  minutes: z.number(),
  /** Empty for the provider’s wall in the site’s own frame. */
  url: z.string(),
  steps: z.array(
    z.object({
      title: z.string(),
      titleKo: z.string().nullable(),
      points,
      days: z.number().nullable(),
    }),
  ),
  imageUrl: z.string().nullable(),
  isEnabled: z.boolean(),
  expiresAt: time.nullable(),
  state: z.enum(entryStates),
  createdAt: time,
  version: settingsVersion,
});
export type CatalogueEntry = z.infer<typeof entry>;

export const readEntries = operatorList({
  path: '/api/admin/catalogue',
  summary: 'The entries of the catalogue, in their order',
  topic: 'catalogue',
  row: entry,
  csvRow: entry.omit({ imageUrl: true, state: true, createdAt: true, version: true }),
  sorts: ['position', 'createdAt', 'reward', 'minutes'],
  defaultSort: '-position',
  filters: {
    kind: { kind: 'choice', choices: entryKinds },
    category: { kind: 'choice', choices: entryCategories },
    provider: { kind: 'id' },
    state: { kind: 'choice', choices: entryStates },
  },
  searches: ['id', 'title', 'titleKo', 'description', 'url'],
});

const httpsAddress = z
  .string()
  .max(1_000)
  .regex(/^https:\/\/[^\s\p{Cc}\p{Cs}]+$/u, 'Must be an https address')
  .refine((address) => URL.canParse(address), 'Must be an address');

/** The fields of an entry, as an operator sets them. */
const entryFields = {
  kind: z.enum(entryKinds),
  category: z.enum(entryCategories),
  provider: providerId,
  title: text(ENTRY_TITLE_MAX),
  titleKo: textOrNull(ENTRY_TITLE_MAX),
  description: text(ENTRY_DESCRIPTION_MAX),
  descriptionKo: textOrNull(ENTRY_DESCRIPTION_MAX),
  /** Needed without steps. With steps it is their sum. */
  reward: positivePoints.optional(),
  minutes,
  url: z.union([z.literal(''), httpsAddress]).default(''),
  steps: z.array(step).max(ENTRY_STEPS_MAX).default([]),
  isEnabled: z.boolean().default(true),
  expiresAt: givenTime.nullable().default(null),
};
const checkedEntry = z.strictObject(entryFields);
export type ImportedEntry = z.output<typeof checkedEntry>;

/** The points of all steps. */
export const pointsOfSteps = (steps: readonly { points: string }[]): bigint =>
  steps.reduce((sum, one) => sum + BigInt(one.points), 0n);

type Fault = { path: string; message: string };

/** What no field shows alone: the category fits the kind, and the reward the steps. */
function faultsOfEntry({
  kind,
  category,
  reward,
  steps,
}: Pick<z.output<typeof checkedEntry>, 'kind' | 'category' | 'reward' | 'steps'>): Fault[] {
  const faults: Fault[] = [];
  // A text that is no amount has its own fault already.
  if ([...steps.map((one) => one.points), reward ?? '1'].some((amount) => !/^\d{1,15}$/.test(amount)))
    return faults;
  if (!(categoriesOf[kind] as readonly string[]).includes(category))
    faults.push({ path: 'category', message: `Must be ${categoriesOf[kind].join(', ')}` });
  const sum = pointsOfSteps(steps);
  if (steps.length === 0 && reward === undefined) faults.push({ path: 'reward', message: 'Required' });
  if (steps.length > 0 && reward !== undefined && BigInt(reward) !== sum)
    faults.push({ path: 'reward', message: 'Must be the sum of the steps' });
  if (sum > POINTS_MAX) faults.push({ path: 'steps', message: 'The sum is too large' });
  return faults;
}

const addFaults = (
  value: Parameters<typeof faultsOfEntry>[0],
  context: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void => {
  for (const { path, message } of faultsOfEntry(value))
    context.addIssue({ code: 'custom', path: [path], message });
};

/** An entry of a file, whose picture stays. */
export const importedEntry = checkedEntry.superRefine(addFaults);

/** The bytes of a picture as base64; null removes it, and absent it stays. */
const picture = z
  .base64('Must be base64')
  .min(1, 'Must be base64')
  .max(Math.ceil(PICTURE_BYTES_MAX / 3) * 4, `At most ${PICTURE_BYTES_MAX / 1024} KiB`)
  .nullable()
  .optional();

const ENTRY_BODY_BYTES_MAX = 192 * 1024;

export const addEntry = endpoint({
  method: 'POST',
  path: '/api/admin/catalogue',
  summary: 'Add an entry to the catalogue, above the others of its kind',
  access: 'operator',
  act: 'catalogue.add',
  refreshes: ['catalogue'],
  body: z.strictObject({ ...entryFields, picture }).superRefine(addFaults),
  bodyBytesMax: ENTRY_BODY_BYTES_MAX,
  status: 201,
  reply: entry,
  refusals: ['unknown-provider'],
});

const entryParams = z.object({ id: rowId });

export const changeEntry = endpoint({
  method: 'PUT',
  path: '/api/admin/catalogue/:id',
  summary: 'Change an entry of the catalogue',
  access: 'operator',
  act: 'catalogue.change',
  refreshes: ['catalogue'],
  params: entryParams,
  /** `version`: the one that the operator saw. An entry that changed since is not changed. */
  body: z
    .strictObject({ ...entryFields, picture, version: settingsVersion.optional() })
    .superRefine(addFaults),
  bodyBytesMax: ENTRY_BODY_BYTES_MAX,
  reply: entry,
  refusals: ['not-found', 'unknown-provider', 'settings-changed'],
});

/** `above` and `below` another entry of the same kind, the others by themselves. */
export const entryMoves = ['first', 'up', 'down', 'last', 'above', 'below'] as const;

const move = z
  .strictObject({ to: z.enum(entryMoves), other: rowId.optional() })
  .superRefine(({ to, other }, context) => {
    const isBeside = to === 'above' || to === 'below';
    if (isBeside === (other !== undefined)) return;
    const message = isBeside ? 'Required' : 'Only with above and below';
    context.addIssue({ code: 'custom', path: ['other'], message });
  });
export type EntryMove = z.output<typeof move>;

export const moveEntry = endpoint({
  method: 'POST',
  path: '/api/admin/catalogue/:id/move',
  summary: 'Move an entry among those of its kind',
  access: 'operator',
  act: 'catalogue.move',
  refreshes: ['catalogue'],
  params: entryParams,
  body: move,
  reply: entry,
  refusals: ['not-found'],
});

export const removeEntry = endpoint({
  method: 'DELETE',
  path: '/api/admin/catalogue/:id',
  summary: 'Take an entry off the catalogue. What members have earned or begun at its provider stays',
  access: 'operator',
  act: 'catalogue.remove',
  refreshes: ['catalogue'],
  params: entryParams,
  status: 204,
  reply: nothing,
  refusals: ['not-found'],
});

/** The columns of the export, in any order. Those that an entry needs not have may be left out. */
export const importColumns: readonly string[] = readEntries.list.columns;

/** The largest number of rows in one import. */
export const IMPORT_ROWS_MAX = 10_000;
/** The largest body of an import in bytes. */
export const IMPORT_BYTES_MAX = 8 * 1024 * 1024;

const importResult = z.object({
  rows: z.number(),
  added: z.number(),
  changed: z.number(),
  /** The first fault of each line that has one. */
  errors: z.array(z.object({ line: z.number(), message: z.string() })),
});
export type ImportResult = z.infer<typeof importResult>;

export const importEntries = endpoint({
  method: 'POST',
  path: '/api/admin/catalogue/import',
  summary:
    'Import entries as CSV (text/csv, or JSON), all or none. A dry run changes nothing and lists the faults',
  access: 'operator',
  act: 'catalogue.import',
  refreshes: ['catalogue'],
  query: z.object({ dryRun: z.enum(['true', 'false']).default('false') }),
  // The texts of the cells are checked line by line.
  body: z.strictObject({
    csv: z
      .string()
      .refine(isWhole, HALF_FAULT)
      .refine((file) => !file.includes('\0'), CONTROL_FAULT),
  }),
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: importResult,
});
