import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '#web/client/call.ts';
import type { ReasonWords } from './reason-dialog.tsx';

/** An act on many rows: what its dialog says before, and how each row is done. */
export type BulkAct<Row> = {
  key: string;
  /** On the button that opens the dialog. It ends in "…", because a step follows. */
  label: string;
  title: string;
  text: string;
  /** A warning below the text. */
  note?: string;
  submit: string;
  /** `money` moves money now, `danger` destroys. */
  tone: 'plain' | 'money' | 'danger';
  /** The act is the next thing to do, so its button in the bar is filled. */
  isMain?: true;
  isDisabled?: boolean;
  count: number;
  /** Asks for a reason first. */
  reason?: ReasonWords;
  /** Says how many rows were done. */
  done: (count: number) => string;
  run: EachRow<Row> | AllRows;
};

/** The selected rows, one call after the other. */
type EachRow<Row> = {
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  act: (row: Row, reason: string) => Promise<unknown>;
};
/** Rows that the server finds itself. It answers with those that failed. */
type AllRows = {
  actAll: (reason: string) => Promise<{ processed: number; failed: { id: string; reason: string }[] }>;
};

export type BulkOutcome = {
  doneText: string;
  /** Each selected row; of an act on all rows, those that failed. A row without a failure is done. */
  rows: { id: string; name: string | null; failure: string | null }[];
};

export type BulkPhase = 'asking' | 'running' | 'done';

/** The code of why a call was refused, or null when it was done. */
async function refusalOf(act: Promise<unknown>): Promise<string | null> {
  try {
    await act;
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.code;
  }
}

/** Each row has an answer of its own, and one that fails stops none of the others. */
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

/** Runs an act on many rows and says how far it is. */
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
