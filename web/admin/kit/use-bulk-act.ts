import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, type FailureCode, isApiError } from '#web/client/call.ts';
import { afterUndo, type BulkOutcome, countOf, countText, type RowOutcome } from './bulk-outcome.ts';
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
  /** What the act is about, below the text. Its links close the dialog. */
  details?: (close: () => void) => ReactNode;
  /** Rows that the act leaves out unless they are chosen. The choice makes it another act. */
  choice?: { label: string; isChosen: boolean; choose: () => BulkAct<Row> | Promise<BulkAct<Row>> };
  run: EachRow<Row> | RemoteAct<Row>;
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

/** An act that the server makes, whether the page is open or not. */
export type RemoteAct<Row> = {
  /** Resolves to the id of the act, by which it is read. */
  begin: (reason: string) => Promise<string>;
  /** Reads how many rows have a result, and once it is finished, the results. */
  read: (id: string) => Promise<{ endedCount: number; result: RemoteResult | null }>;
  /** An act that was begun before: it is followed and not begun. */
  begunId?: string;
  /** Ends the act before its next row. */
  stop: (id: string) => Promise<unknown>;
  /** The message with the number of rows that were known to stay. */
  stayed: (count: number) => string;
  /** Takes rows of the result back, one by one. */
  undo?: {
    label: (count: number) => string;
    /** The message with the number of rows that were done and could not be taken back any more. */
    kept: (count: number) => string;
    act: (id: string) => Promise<unknown>;
  };
  /** The refusal of an act that would do something else by now, and the act with what it would do now. */
  renewal?: { code: FailureCode; prepare: () => Promise<BulkAct<Row>> };
};
type RemoteResult = {
  rows: BulkOutcome['rows'];
  /** The rows that can be taken back. */
  undoableIds: string[];
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

/** How long until a running act is read again. */
const READ_EVERY_MS = 700;

const outcomeOf = <Row>({ done, part }: BulkAct<Row>, { stayed }: RemoteAct<Row>, result: RemoteResult) => ({
  doneText: countText(done, countOf(result.rows, 'done')),
  partText: countText(part, countOf(result.rows, 'part')),
  stayedText: countText(stayed, countOf(result.rows, 'stayed')),
  ...result,
});

/**
 * Reads an act of the server until it is finished, or until the dialog is closed. A read that fails is repeated,
 * because the act goes on.
 */
async function follow<Row>(
  act: BulkAct<Row>,
  run: RemoteAct<Row>,
  id: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: number) => void },
): Promise<BulkOutcome | null> {
  while (!signal.aborted) {
    try {
      const { endedCount, result } = await run.read(id);
      if (signal.aborted) return null;
      if (result !== null) return outcomeOf(act, run, result);
      onProgress(endedCount);
    } catch (error) {
      // The result may have been removed since, which no repetition brings back.
      if (!isApiError(error) || error.code === 'not-found') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
  return null;
}

export type BulkEvents<Row> = {
  onPhase: (phase: BulkPhase) => void;
  onActed: () => void;
  /** The act is another one from now on, because the former would do something else by now. */
  onRenew: (act: BulkAct<Row>) => void;
};

/** Runs an act on many rows and reports the progress. */
export function useBulkAct<Row extends { id: string }>(
  act: BulkAct<Row>,
  { onPhase, onActed, onRenew }: BulkEvents<Row>,
) {
  const { t } = useTranslation();
  const refusal = useRefusalWords();
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<BulkFailure | null>(null);
  const [runningId, setRunningId] = useState<string | null>(null);
  const closing = useRef(new AbortController());
  const work = act.run;
  const remote = 'rows' in work ? undefined : work;

  const runRemote = async (run: RemoteAct<Row>, reason: string) => {
    const id = run.begunId ?? (await run.begin(reason));
    setRunningId(id);
    if (run.begunId === undefined) onActed();
    return follow(act, run, id, { signal: closing.current.signal, onProgress: setDoneCount });
  };
  const run = async (reason: string) => {
    if (doneCount !== null) return;
    onPhase('running');
    setFailure(null);
    setDoneCount(0);
    try {
      const words = { done: t('list.bulk.ok'), refusal };
      const ended =
        'rows' in work
          ? await runEach(act, work, reason, words, setDoneCount)
          : await runRemote(work, reason);
      if (ended === null) return;
      setOutcome(ended);
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure({ text: refusal(error.code), isOutdated: error.code === remote?.renewal?.code });
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onActed();
    }
  };
  const first = useRef(run);
  useEffect(() => {
    const opened = new AbortController();
    closing.current = opened;
    if (remote?.begunId !== undefined) void first.current('');
    return () => opened.abort();
  }, [remote?.begunId]);

  const { exchange, isRenewing } = useExchange(onRenew, setFailure);
  const renewal = remote?.renewal;
  const { choice } = act;
  return {
    run,
    doneCount,
    outcome,
    failure,
    renew: () => (renewal === undefined ? Promise.resolve(false) : exchange(renewal.prepare, true)),
    choose: () => (choice === undefined ? Promise.resolve(false) : exchange(choice.choose, false)),
    isRenewing,
    stop: useStop(remote, runningId),
    undo: useUndo(outcome, remote, setOutcome, onActed),
  };
}

/** Stops a running act of the server. Its result follows by itself, so the call stays pending after its answer. */
function useStop<Row>(remote: RemoteAct<Row> | undefined, id: string | null) {
  const refusal = useRefusalWords();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (remote === undefined || id === null) return undefined;
  const act = async () => {
    setPending(true);
    const error = await refusalOf(remote.stop(id));
    setFailure(error === undefined ? null : refusal(error.code));
    if (error !== undefined) setPending(false);
  };
  return { act: () => void act(), isPending, failure };
}

/** Makes the act another one. Resolves to whether that one is known. */
function useExchange<Row>(
  onRenew: (act: BulkAct<Row>) => void,
  onFailure: (failure: BulkFailure | null) => void,
) {
  const refusal = useRefusalWords();
  const [isRenewing, setRenewing] = useState(false);
  const exchange = async (prepare: () => BulkAct<Row> | Promise<BulkAct<Row>>, isOutdated: boolean) => {
    if (isRenewing) return false;
    setRenewing(true);
    try {
      onRenew(await prepare());
      onFailure(null);
      return true;
    } catch (error) {
      if (!isApiError(error)) throw error;
      onFailure({ text: refusal(error.code), isOutdated });
      return false;
    } finally {
      setRenewing(false);
    }
  };
  return { exchange, isRenewing };
}

/** Takes back what can be taken back of a result; undefined if nothing can. */
function useUndo<Row>(
  outcome: BulkOutcome | null,
  remote: RemoteAct<Row> | undefined,
  onUndone: (outcome: BulkOutcome) => void,
  onActed: () => void,
) {
  const { t } = useTranslation();
  const [isPending, setPending] = useState(false);
  const refusal = useRefusalWords();
  const undo = remote?.undo;
  const ids = outcome?.undoableIds ?? [];
  if (outcome === null || undo === undefined || ids.length === 0) return undefined;
  const act = async () => {
    setPending(true);
    const texts = new Map<string, RowOutcome>();
    for (const id of ids) {
      const error = await refusalOf(undo.act(id));
      texts.set(
        id,
        error === undefined
          ? { kind: 'part', text: t('list.bulk.undone') }
          : { kind: 'failed', text: `${t('list.bulk.notUndone')} ${refusal(error.code)}` },
      );
    }
    const undone = (count: number) => t('list.bulk.undoneText', { count });
    onUndone(afterUndo(outcome, texts, { kept: undo.kept, undone }));
    setPending(false);
    onActed();
  };
  return { label: undo.label(ids.length), act: () => void act(), isPending };
}
