import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, type FailureCode, isApiError } from '#web/client/call.ts';
import type { ReasonWords } from './reason-dialog.tsx';
import { useRefusalWords } from './use-refusal-words.ts';

/** An act on many rows: the texts of its dialog and how it runs. */
export type BulkAct<Row> = {
  key: string;
  /** On the button that opens the dialog. It ends in "…", because a step follows. */
  label: string;
  title: string;
  text: string;
  /** A warning below the text. */
  note?: string;
  submit: string;
  /** `money`: the act moves money now. `danger`: the act is destructive. */
  tone: 'plain' | 'money' | 'danger';
  /** Whether the act is the main one, with a filled button. */
  isMain?: true;
  isDisabled?: boolean;
  count: number;
  /** The texts of the reason field, if the act needs a reason. */
  reason?: ReasonWords;
  /** The points that must be typed before the act runs, if it is so large. */
  typed?: { label: string; points: bigint; wrong: string };
  /** The message with the number of completed rows, and with that of rows of which a step is done. */
  done: (count: number) => string;
  part?: (count: number) => string;
  run: EachRow<Row> | AllRows<Row>;
};

/** An act on rows that the server selects. What it does is asked when its button is pressed. */
export type HeadAct<Row> = Pick<BulkAct<Row>, 'key' | 'label'> & { prepare: () => Promise<BulkAct<Row>> };

/** Acts on the selected rows, one call after the other. */
type EachRow<Row> = {
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  act: (row: Row, reason: string) => Promise<unknown>;
  /** What a refusal means for its row; by default that the row failed, in the words of its code. */
  outcomeOf?: (error: ApiError) => RowOutcome | undefined;
};

/** `done`: the row is done. `part`: a step of the act is done, so that the row did not fail. */
export type RowOutcome = { kind: 'done' | 'part' | 'failed'; text: string };
/** Acts on rows that the server selects. The reply lists the failed ones, with what names them. */
type AllRows<Row> = {
  actAll: (reason: string) => Promise<AllResult>;
  /** The message with the number of rows that were known to stay. */
  stayed: (count: number) => string;
  /** The refusal of an act that would do something else by now, and the act with what it would do now. */
  renewal: { code: FailureCode; prepare: () => Promise<BulkAct<Row>> };
};
type AllResult = {
  processed: number;
  partCount?: number;
  /** Those that are not done; `isStaying`: as was known before. */
  failed: { id: string; name: string; reason: string; isStaying: boolean }[];
};

export type BulkOutcome = {
  /** Null if no row was done. */
  doneText: string | null;
  partText: string | null;
  /** Null if no row was known to stay. */
  stayedText: string | null;
  /** Every selected row, or for an act on all rows those that are not done, with the server's text. */
  rows: { id: string; name: string; kind: RowOutcome['kind'] | 'stayed'; text: string; isByServer?: true }[];
};

/** Why an act on many rows was not begun; `isOutdated`: it would do something else by now. */
export type BulkFailure = { text: string; isOutdated: boolean };

export type BulkPhase = 'asking' | 'running' | 'done';

/** The refusal, or undefined on success. */
async function refusalOf(act: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error;
  }
}

const countOf = (rows: readonly { kind: string }[], kind: BulkOutcome['rows'][number]['kind']): number =>
  rows.filter((row) => row.kind === kind).length;

/** A message with its number; null for none. */
const countText = (text: ((count: number) => string) | undefined, count: number): string | null =>
  count === 0 ? null : (text?.(count) ?? null);

/** Runs the act row by row. A failed row does not stop the others. */
async function runEach<Row extends { id: string }>(
  act: BulkAct<Row>,
  run: EachRow<Row>,
  reason: string,
  words: { done: string; refusal: (code: FailureCode) => string },
  onProgress: (count: number) => void,
): Promise<BulkOutcome> {
  const rows: BulkOutcome['rows'] = [];
  for (const row of run.rows) {
    const error = await refusalOf(run.act(row, reason));
    const outcome: RowOutcome =
      error === undefined
        ? { kind: 'done', text: words.done }
        : (run.outcomeOf?.(error) ?? { kind: 'failed', text: words.refusal(error.code) });
    rows.push({ id: row.id, name: run.nameOf(row), ...outcome });
    onProgress(rows.length);
  }
  return {
    doneText: countText(act.done, countOf(rows, 'done')),
    partText: countText(act.part, countOf(rows, 'part')),
    stayedText: null,
    rows,
  };
}

/** Runs the act on all rows. Those that failed are listed before those that were known to stay. */
async function runAll<Row>({ done, part }: BulkAct<Row>, run: AllRows<Row>, reason: string) {
  const { processed, partCount = 0, failed } = await run.actAll(reason);
  const rowsOf = (kind: 'failed' | 'stayed'): BulkOutcome['rows'] =>
    failed
      .filter(({ isStaying }) => isStaying === (kind === 'stayed'))
      .map(({ id, name, reason: text }) => ({ id, name, kind, text, isByServer: true }));
  const stayed = rowsOf('stayed');
  return {
    doneText: countText(done, processed),
    partText: countText(part, partCount),
    stayedText: countText(run.stayed, stayed.length),
    rows: [...rowsOf('failed'), ...stayed],
  };
}

/**
 * Runs an act on many rows and reports the progress.
 * @param onRenew the act is another one from now on, because the former would do something else by now
 */
export function useBulkAct<Row extends { id: string }>(
  act: BulkAct<Row>,
  onPhase: (phase: BulkPhase) => void,
  onActed: () => void,
  onRenew: (act: BulkAct<Row>) => void,
) {
  const { t } = useTranslation();
  const refusal = useRefusalWords();
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<BulkFailure | null>(null);
  const [isRenewing, setRenewing] = useState(false);
  const work = act.run;
  const renewal = 'renewal' in work ? work.renewal : undefined;

  const run = async (reason: string) => {
    if (doneCount !== null) return;
    onPhase('running');
    setFailure(null);
    setDoneCount(0);
    try {
      setOutcome(
        'rows' in work
          ? await runEach(act, work, reason, { done: t('list.bulk.ok'), refusal }, setDoneCount)
          : await runAll(act, work, reason),
      );
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure({ text: refusal(error.code), isOutdated: error.code === renewal?.code });
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onActed();
    }
  };

  /** Asks what the act would do now. Resolves to whether it is known. */
  const renew = async (): Promise<boolean> => {
    if (renewal === undefined || isRenewing) return false;
    setRenewing(true);
    try {
      onRenew(await renewal.prepare());
      setFailure(null);
      return true;
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure({ text: refusal(error.code), isOutdated: true });
      return false;
    } finally {
      setRenewing(false);
    }
  };

  return { run, doneCount, outcome, failure, renew, isRenewing };
}
