import { request } from 'node:http';
import { sentence } from '#contract/operator-sentences.ts';
import { type Json, parseLosslessly } from '../../lossless-json.ts';

/**
 * JSON-RPC of Core-family wallets: POST with Basic authentication, no redirects, one connection per call, limits of
 * time and size. Amounts are sent as text. Numbers of an answer that are not safe integers stay text, so that no amount
 * becomes a floating-point number.
 */
export type CoinNodeAccess = {
  host: string;
  port: number;
  user: string;
  password: string;
  timeoutMs?: number | undefined;
};

export type RpcReply =
  | { kind: 'result'; result: Json }
  /** The node ran the call and returned an error. */
  | { kind: 'error'; code: number; message: string }
  /** The call certainly did not run. */
  | { kind: 'unavailable'; reason: string }
  /** The call may have run: the answer was lost, late or unreadable. */
  | { kind: 'unknown'; reason: string };

export type CoinRpc = (method: string, params: Record<string, Json>) => Promise<RpcReply>;

/** For the whole call: connection, headers and body. */
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** Codes of `src/rpc/protocol.h` for a wallet that can't serve any call now. */
const NOT_NOW = new Map([
  [-28, sentence('node-starting')],
  [-18, sentence('wallet-not-loaded')],
  [-19, sentence('wallets-loaded')],
  [-13, sentence('wallet-locked')],
]);

/** Error codes of connections that were never opened, so that the request did not reach the node. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Makes a caller of the node's methods. Parameters are named, because their positions differ between coins. */
export function coinRpc(access: CoinNodeAccess): CoinRpc {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '1.0', id: method, method, params });
    const answer = await post(access, body);
    return answer.kind === 'answer' ? readAnswer(answer.status, answer.text) : answer;
  };
}

type Answer = { kind: 'answer'; status: number; text: string } | Extract<RpcReply, { reason: string }>;

function post(access: CoinNodeAccess, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    const call = request({
      host: access.host,
      port: access.port,
      method: 'POST',
      path: '/',
      agent: false,
      auth: `${access.user}:${access.password}`,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(access.timeoutMs ?? TIMEOUT_MS),
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(lost(error)));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let byteCount = 0;
      response.on('data', (chunk: Buffer) => {
        byteCount += chunk.length;
        if (byteCount <= ANSWER_BYTES_MAX) chunks.push(chunk);
        else response.destroy(new Error('the answer is too long'));
      });
      response.on('error', (error) => resolve(lost(error)));
      response.on('end', () =>
        resolve({
          kind: 'answer',
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    call.end(body);
  });
}

function lost(error: NodeJS.ErrnoException): Answer {
  if (NEVER_CONNECTED.has(error.code ?? '')) {
    return { kind: 'unavailable', reason: sentence('node-unreachable') };
  }
  const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
  return {
    kind: 'unknown',
    reason: isLate ? sentence('node-late') : sentence('node-broke-off'),
  };
}

function readAnswer(status: number, text: string): RpcReply {
  if (status === 401) return { kind: 'unavailable', reason: sentence('node-refused-password') };
  if (status === 403) return { kind: 'unavailable', reason: sentence('node-refuses-server') };
  if (/work queue depth exceeded/i.test(text)) return { kind: 'unavailable', reason: sentence('node-busy') };
  const answer = parseLosslessly(text);
  if (answer === undefined || typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return { kind: 'unknown', reason: sentence('node-without-json', { status }) };
  }
  const error = answer.error;
  if (error === null || error === undefined) {
    return status === 200 && answer.result !== undefined
      ? { kind: 'result', result: answer.result }
      : { kind: 'unknown', reason: sentence('node-without-result', { status }) };
  }
  return readError(error, status);
}

function readError(error: Json, status: number): RpcReply {
  const { code, message } = (typeof error === 'object' ? error : {}) as Record<string, Json>;
  if (typeof code !== 'number') {
    return { kind: 'unknown', reason: sentence('node-unknown-error', { status }) };
  }
  const notNow = NOT_NOW.get(code);
  if (notNow) return { kind: 'unavailable', reason: notNow };
  return { kind: 'error', code, message: typeof message === 'string' ? message.slice(0, 300) : '' };
}
