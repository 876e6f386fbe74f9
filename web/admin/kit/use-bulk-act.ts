import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '#web/client/call.ts';
import type { ReasonWords } from './reason-dialog.tsx';

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
  /** The message with the number of completed rows. */
  done: (count: number) => string;
  run: EachRow<Row> | AllRows;
};

/** Acts on the selected rows, one call after the other. */
type EachRow<Row> = {
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  act: (row: Row, reason: string) => Promise<unknown>;
};
/** Acts on rows that the server selects. The reply lists the failed ones. */
type AllRows = {
  actAll: (reason: string) => Promise<{ processed: number; failed: { id: string; reason: string }[] }>;
};

export type BulkOutcome = {
  doneText: string;
  /** Every selected row, or for an act on all rows only the failed ones. A `failure` of null means success. */
  rows: { id: string; name: string | null; failure: string | null }[];
};

export type BulkPhase = 'asking' | 'running' | 'done';

/** The refusal's code, or null on success. */
async function refusalOf(act: Promise<unknown>): Promise<string | null> {
  try {
    await act;
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.code;
  }
}

/** Runs the act row by row. A failed row does not stop the others. */
async function runEach<Row extends { id: string }>(
  { run, done }: BulkAct<Row> & { run: EachRow<Row> },
  reason: string,
  onProgress: (count: number) => void,
): Promise<BulkOutcome> {
  const rows: BulkOutcome['rows'] = [];
  for (const row of run.rows) {
    rows.push({ id: row.id, name: run.nameOf(row), failure: await refusalOf(run.act(row, reason)) });
    onProgress(rows.length);
  }
  return { doneText: done(rows.filter(({ failure }) => failure === null).length), rows };
}

async function runAll<Row>(
  { run, done }: BulkAct<Row> & { run: AllRows },
  reason: string,
): Promise<BulkOutcome> {
  const { processed, failed } = await run.actAll(reason);
  return {
    doneText: done(processed),
    rows: failed.map(({ id, reason: failure }) => ({ id, name: null, failure })),
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
          ? await runEach(act, reason, setDoneCount)
          : await runAll(act as BulkAct<Row> & { run: AllRows }, reason),
      );
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure(t(`refusals.${error.code}`));
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onActed();
    }
  };

  return { run, doneCount, outcome, failure };
}
