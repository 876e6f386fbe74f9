import pino, { type Logger } from 'pino';

export type Log = Logger;

/**
 * Makes the log: JSON lines on standard error. Standard output is for the person who starts the site. Serializers list
 * the fields that are written. Of a request: method and path, without the query and the end of a webhook's address,
 * which hold providers' secrets. Of an error: type, message, stack, code and its cause's message.
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
        req: requestFields,
        res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
      },
      redact: ['*.password', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

const webhookEnd = /^(.*\/api\/webhooks\/[^/]*\/[^/]*)\/.*$/;

export function requestFields(request: { method?: string; url?: string; id?: string }) {
  const path = request.url?.split('?')[0]?.replace(webhookEnd, '$1/***');
  return { method: request.method, path, id: request.id };
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { type: error.name, message: error.message, code, stack: error.stack, ...cause };
}
