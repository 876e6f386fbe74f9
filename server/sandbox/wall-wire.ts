import { request } from 'node:http';
import type { SentPostback } from '../earning/providers/wall.ts';

/** The HTTP client of the simulated companies. */
export type SiteAnswer = { status: number; body: string };

const ANSWER_BYTES_MAX = 4_096;
const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Calls the site over HTTP with exactly the signed bytes. `fetch` would normalise the URL.
 * @param site its local address, and the public URL for the header `Host`
 */
export function callSite(
  site: { host: string; port: number; publicUrl: string },
  pathAndQuery: string,
  { method, headers, body: sentBody }: SentPostback,
): Promise<SiteAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: site.host,
        port: site.port,
        path: pathAndQuery,
        method,
        headers: { host: new URL(site.publicUrl).host, 'user-agent': 'sandbox-wall', ...headers },
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          if (body.length < ANSWER_BYTES_MAX) body += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
        answer.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(sentBody);
  });
}
