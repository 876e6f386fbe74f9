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
  run: EachRow<Row> | AllRows;
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
type AllRows = {
  actAll: (reason: string) => Promise<AllResult>;
};
type AllResult = {
  processed: number;
  partCount?: number;
  failed: { id: string; name: string; reason: string }[];
};

export type BulkOutcome = {
  /** Null if no row was done. */
  doneText: string | null;
  partText: string | null;
  /** Every selected row, or for an act on all rows those that are not done, with the server's text. */
  rows: (RowOutcome & { id: string; name: string; isByServer?: true })[];
};

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

const countOf = (rows: BulkOutcome['rows'], kind: RowOutcome['kind']): number =>
  rows.filter((row) => row.kind === kind).length;

const doneTextOf = <Row>({ done }: BulkAct<Row>, count: number): string | null =>
  count === 0 ? null : done(count);

const partTextOf = <Row>({ part }: BulkAct<Row>, count: number): string | null =>
  count === 0 ? null : (part?.(count) ?? null);

/** Runs the act row by row. A failed row does not stop the others. */
async function runEach<Row extends { id: string }>(
  act: BulkAct<Row> & { run: EachRow<Row> },
  reason: string,
  words: { done: string; refusal: (code: FailureCode) => string },
  onProgress: (count: number) => void,
): Promise<BulkOutcome> {
  const { run } = act;
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
    doneText: doneTextOf(act, countOf(rows, 'done')),
    partText: partTextOf(act, countOf(rows, 'part')),
    rows,
  };
}

async function runAll<Row>(act: BulkAct<Row> & { run: AllRows }, reason: string): Promise<BulkOutcome> {
  const { processed, partCount = 0, failed } = await act.run.actAll(reason);
  return {
    doneText: doneTextOf(act, processed),
    partText: partTextOf(act, partCount),
    rows: failed.map(({ id, name, reason: text }) => ({ id, name, kind: 'failed', text, isByServer: true })),
  };
}

const isOnEach = <Row>(act: BulkAct<Row>): act is BulkAct<Row> & { run: EachRow<Row> } => 'rows' in act.run;

/** Runs an act on many rows and reports the progress. */
export function useBulkAct<Row extends { id: string }>(
  act: BulkAct<Row>,
  onPhase: (phase: BulkPhase) => void,
  onActed: () => void,
) {
  const { t } = useTranslation();
  const refusal = useRefusalWords();
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (reason: string) => {
    if (doneCount !== null) return;
    onPhase('running');
    setFailure(null);
    setDoneCount(0);
    try {
      setOutcome(
        isOnEach(act)
          ? await runEach(act, reason, { done: t('list.bulk.ok'), refusal }, setDoneCount)
          : await runAll(act as BulkAct<Row> & { run: AllRows }, reason),
      );
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure(refusal(error.code));
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onActed();
    }
  };

  return { run, doneCount, outcome, failure };
}
