/** The messages between a run and the processes that run its files (`run-files.ts`, `file-worker.ts`). */
export type FileOrder = { file: string; skippedWord: string | undefined };

/**
 * Two for each test when it is run, one for its result in the order of the file, and the last one of a file, with the
 * spec reporter's text if a test failed.
 */
export type FileLine =
  | { began: string }
  | { ended: string }
  | { passed: string }
  | { failed: string }
  | { skipped: string }
  | { report: string; processorSeconds: number; memoryBytes: number };

/** All that a process of a run starts inherits its name in this variable, unless it gets an environment of its own. */
export const WORKER_VARIABLE = 'EARNEST_TEST_WORKER';
