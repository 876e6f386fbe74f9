import pino, { type Logger } from 'pino';

export type Log = Logger;

/**
 * The one log: JSON lines on standard error, so that standard output holds only what a person starting the site
 * reads. Objects are logged through allow-list serializers: a request shows its method and path without the
 * query (which holds provider secrets), an error shows its type, message, stack and code. Nothing else of
 * either is ever written.
 */
export function createLog(level: string = process.env.LOG_LEVEL ?? 'info'): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        error: errorFields,
        err: errorFields,
        req: (request: { method?: string; url?: string; id?: string }) => ({
          method: request.method,
          path: request.url?.split('?')[0],
          id: request.id,
        }),
        res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
      },
      redact: ['*.password', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { type: error.name, message: error.message, code, stack: error.stack, ...cause };
}
