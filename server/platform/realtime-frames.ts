import { z } from 'zod';
import { clientFrameTypes } from '#contract/events.ts';
import { callsOfCaller, callsOfSource, memberKey } from './http/admission.ts';
import type { Platform } from './platform.ts';
import { CLOSE_MS_MAX, frameOf, type Open, type Sockets } from './realtime-sockets.ts';
import type { createTyping } from './realtime-typing.ts';
import { Refusal, refuse } from './refusal.ts';

/** What clients send over their sockets: frames, pings and pongs, all counted, and faults. */
const FRAMES_PER_SECOND_MAX = 20;

const clientFrame = z.object({ type: z.enum(clientFrameTypes) });

export const confirmed = frameOf({ type: 'auth_success' });

type Parts = Pick<Platform, 'app' | 'limits'>;
type Type = ReturnType<typeof createTyping> | undefined;

/**
 * Makes a function that receives what comes from a socket. It adds little to one, because most of them say nothing.
 */
export function createReceiver({ app, limits }: Parts, sockets: Sockets, type: Type): (open: Open) => void {
  const count = async (open: Open) => {
    const second = Math.trunc(performance.now() / 1000);
    if (second !== open.second) Object.assign(open, { second, frames: 0 });
    open.frames += 1;
    if (open.frames > FRAMES_PER_SECOND_MAX) throw refuse('rate-limited');
    limits.countHere(callsOfSource, open.address);
    await limits.countCall(callsOfCaller, memberKey(open.memberId));
  };
  const refuseFrame = (open: Open, code: string, detail: string) => {
    if (!sockets.has(open)) return;
    sockets.push(open, frameOf({ type: 'error', code, detail }));
    sockets.end(open, 1008, detail);
  };
  /** Receives a frame; null is a ping or pong, which is only counted. */
  const receive = async (open: Open, text: string | null): Promise<void> => {
    // A socket that is being closed may still send.
    if (!sockets.has(open)) return;
    try {
      await count(open);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuseFrame(open, error.code, 'Too many frames');
    }
    if (text === null) return;
    const given = jsonOf(text);
    const parsed = clientFrame.safeParse(given);
    if (!parsed.success) return refuseFrame(open, 'invalid-request', 'Unknown frame');
    const isTyping = parsed.data.type === 'user_typing' || parsed.data.type === 'stop_typing';
    if (parsed.data.type === 'auth') sockets.push(open, confirmed);
    else if (isTyping) await type?.(open, given);
  };
  const start = (open: Open, text: string | null) =>
    void receive(open, text).catch((error: Error) => app.log.error({ error }, 'a frame failed'));
  const fail = ({ socket }: Open, error: Error) => {
    const fault = clientFaultOf(error);
    if (fault === undefined) app.log.error({ error }, 'a socket failed');
    else {
      sockets.faults.inc({ fault });
      app.log.debug({ error }, 'a client broke off or broke the protocol');
    }
    setTimeout(() => socket.terminate(), CLOSE_MS_MAX).unref();
  };
  return (open) => {
    const { socket } = open;
    socket.on('error', (error) => fail(open, error));
    socket.on('close', () => sockets.remove(open));
    socket.on('message', (raw) => start(open, String(raw)));
    socket.on('ping', () => start(open, null));
    socket.on('pong', () => {
      // An answer to a ping costs its member nothing. A pong without one is a frame like others.
      if (open.isPinged) open.isPinged = false;
      else start(open, null);
    });
  };
}

/** Names the fault if it is the client's: a frame against the protocol, or a connection that broke off. */
function clientFaultOf(error: Error): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isClients = code.startsWith('WS_ERR_') || ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code);
  return isClients ? code.toLowerCase() : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The frame's schema refuses undefined.
    return undefined;
  }
}
