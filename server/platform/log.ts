import { hostname } from 'node:os';
import pino, { type Logger } from 'pino';
import { DatabaseSilence } from './database-silence.ts';
import { isOutputTheLog, type LogTarget, openLogTarget } from './log-target.ts';

export type Log = Logger;

/** Names this node in its log lines and in the leases that it holds: the host, and the process's number. */
export const nodeName = `${hostname()} ${process.pid}`;

const targets = new WeakMap<Log, LogTarget>();

/** The number of lines that were lost since the start, because the target of the log was full. */
export const lostLinesOf = (log: Log): number => targets.get(log)?.droppedCount() ?? 0;

/** What a start tells a person, without the form of the log. */
export type Printed = {
  /** Prints on standard output. */
  say(line: string): void;
  /** Prints on standard error. */
  complain(line: string): void;
};

/**
 * Makes the functions that print beside this log. What goes to its file goes through its target, in the order of the
 * lines. A standard output that takes nothing, because its disk is full or its reader has gone, does not end the site.
 */
export function printedBeside(log: Log): Printed {
  const complain = (line: string) => targets.get(log)?.print(line);
  if (isOutputTheLog()) return { say: complain, complain };
  process.stdout.on('error', (error) => log.warn({ error }, 'standard output did not take a line'));
  return { say: (line) => void process.stdout.write(`${line}\n`), complain };
}

/**
 * Makes the log: JSON lines on standard error, each with the node's name. A full target delays nobody
 * (`log-target.ts`). Standard output is for the person who starts the site. Serializers list
 * the fields that are written. Of a request: method and path, without the query, the end of a webhook's address and the
 * token of an unsubscribe link, which hold secrets. Of an error: type, message, stack, code and its cause's message.
 */
export function createLog(level: string = process.env.LOG_LEVEL ?? 'info'): Log {
  const target = openLogTarget((lostCount) => log.warn({ lostCount }, 'log lines were lost'));
  const log: Log = pino(
    {
      level,
      base: { node: nodeName },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        error: errorFields,
        err: errorFields,
        req: requestFields,
        res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
      },
      hooks: { logMethod: logUnlessSilent },
      redact: ['*.password', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    target.stream,
  );
  targets.set(log, target);
  return log;
}

/** The number of pino's level `debug`. */
const DEBUG = 20;

/**
 * Health logs once that the database is silent. A line of each call and sweep that fails by it would hide the cause, so
 * those are for the level `debug`.
 */
function logUnlessSilent(
  this: Logger,
  given: Parameters<pino.LogFn>,
  write: pino.LogFn,
  level: number,
): void {
  const [fields] = given as unknown[] as [{ error?: unknown } | undefined];
  if (level > DEBUG && fields?.error instanceof DatabaseSilence) this.debug(...given);
  else write.apply(this, given);
}

const webhookEnd = /^(.*\/api\/webhooks\/[^/]*\/[^/]*)\/.*$/;
const unsubscribeToken = /(\/api\/unsubscribe)\/[^/]+/;

export function requestFields(request: { method?: string; url?: string; id?: string }) {
  const path = request.url?.split('?')[0]?.replace(webhookEnd, '$1/***').replace(unsubscribeToken, '$1/***');
  return { method: request.method, path, id: request.id };
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { type: error.name, message: error.message, code, stack: error.stack, ...cause };
}
