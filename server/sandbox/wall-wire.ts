import { request } from 'node:http';
import type { SentPostback } from '../earning/providers/wall.ts';

/** How a simulated company's call reaches the site. */
export type SiteAnswer = { status: number; body: string };

const ANSWER_BYTES_MAX = 4_096;
const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Calls the site over HTTP, byte for byte as signed; `fetch` would write the address anew.
 * @param port where the site listens on this machine; `publicUrl` is what it is called by
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
