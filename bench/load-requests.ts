import { hash } from 'node:crypto';
import type { LoadSpec, Requests } from './load-spec.ts';

/** The next request for a connection, as bytes. */
export type RequestSource = (connection: number) => Buffer;

/** Checks an answer: 200, and for a postback the provider's own success answer, which is one byte. */
export type IsGood = (status: number, bodyBytes: number) => boolean;

const headers = 'Host: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n';
const PREBUILT_PER_SECOND = 16_000;
const PREBUILT_MAX = 300_000;

/** Steps through the members, because choosing a random one would cost as much as the rest. */
const STEP = 7919;

type Postbacks = Extract<Requests, { kind: 'postbacks' }>;

function postback({ secret, prefix, memberFirst, memberCount }: Postbacks, number: number): Buffer {
  const transaction = `${prefix}${number}`;
  const member = memberFirst + ((number * STEP) % memberCount);
  const query =
    `status=1&trans_id=${transaction}&user_id=${member}&amount_local=150&amount_usd=0.15&offer_id=4711` +
    `&type=complete&ip_click=203.0.113.7&secure_hash=${hash('md5', `${transaction}-${secret}`, 'hex')}`;
  return Buffer.from(`GET /api/webhooks/postback/cpx?${query} HTTP/1.1\r\n${headers}\r\n`, 'latin1');
}

function postbackSource(requests: Postbacks, prebuiltCount: number): RequestSource {
  const prebuilt = Array.from({ length: prebuiltCount }, (_, number) => postback(requests, number));
  let number = 0;
  return () => {
    const request = prebuilt[number] ?? postback(requests, number);
    prebuilt[number] = undefined as never;
    number += 1;
    return request;
  };
}

function getSource(
  { path, cookies }: Extract<Requests, { kind: 'get' }>,
  connections: number,
): RequestSource {
  const prebuilt = Array.from({ length: connections }, (_, connection) => {
    const cookie = cookies.length === 0 ? '' : `Cookie: ${cookies[connection % cookies.length]}\r\n`;
    const target = path.replace('{n}', String(connection));
    return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers}${cookie}\r\n`, 'latin1');
  });
  return (connection) => prebuilt[connection] as Buffer;
}

function postSource({ path, origin, cookies, body }: Extract<Requests, { kind: 'post' }>): RequestSource {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const fields = `Origin: ${origin}\r\nContent-Type: application/json\r\n${length}\r\n`;
  const prebuilt = cookies.map((cookie) =>
    Buffer.from(`POST ${path} HTTP/1.1\r\n${headers}${fields}Cookie: ${cookie}\r\n\r\n${body}`),
  );
  let number = -1;
  return () => {
    number = (number + 1) % prebuilt.length;
    return prebuilt[number] as Buffer;
  };
}

export function requestSource(spec: LoadSpec, requests: Requests = spec.requests): RequestSource {
  const seconds = spec.seconds + spec.warmupSeconds;
  if (requests.kind === 'postbacks') {
    const perSecond = spec.ratePerSecond ?? PREBUILT_PER_SECOND;
    return postbackSource(requests, Math.min(PREBUILT_MAX, Math.ceil(seconds * perSecond)));
  }
  if (requests.kind === 'get') return getSource(requests, spec.connections);
  if (requests.kind === 'post') return postSource(requests);
  const parts = requests.parts.map((part) => requestSource(spec, part));
  let turn = 0;
  return (connection) => {
    turn += 1;
    return (parts[turn % parts.length] as RequestSource)(connection);
  };
}

export const isGoodAnswer = ({ kind }: Requests): IsGood =>
  kind === 'postbacks'
    ? (status, bodyBytes) => status === 200 && bodyBytes === 1
    : (status) => status === 200;
