import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Endpoint, none } from '#contract/endpoint.ts';
import { refusals } from '#contract/refusals.ts';

/** Generates the wire contract from the bound endpoints: as OpenAPI 3.1 and as a page of HTML. */

/** An endpoint, and the body and reply that the documents show instead of the contract's. */
export type BoundEndpoint = Endpoint & { publishedBody?: z.ZodType; publishedReply?: z.ZodType };

const bodyOf = ({ body, publishedBody }: BoundEndpoint) => schemaOf(publishedBody ?? body, 'input');

const replyOf = ({ reply, publishedReply }: BoundEndpoint) => schemaOf(publishedReply ?? reply, 'output');

const refusalsOfAll = ['invalid-request', 'rate-limited', 'overloaded', 'internal'] as const;

function refusalsOf(endpoint: Endpoint): string[] {
  const suspended = endpoint.whileSuspended === true ? [] : ['account-suspended'];
  const byAccess = {
    public: [],
    webhook: [],
    member: ['unauthenticated', ...suspended],
    operator: ['unauthenticated', 'forbidden', 'wrong-key', ...suspended],
  };
  const changing = endpoint.method === 'GET' || endpoint.access === 'webhook' ? [] : ['cross-site'];
  return [...new Set([...endpoint.refusals, ...byAccess[endpoint.access], ...changing, ...refusalsOfAll])];
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  });
  return rest;
}

type ObjectSchema = { properties?: Record<string, object>; required?: string[] };

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

function operationOf(endpoint: BoundEndpoint): object {
  const body = bodyOf(endpoint);
  const hasBody = endpoint.method !== 'GET' && endpoint.body !== none;
  const byStatus = Map.groupBy(
    refusalsOf(endpoint),
    (code) => refusals[code as keyof typeof refusals].status,
  );
  const contentType = endpoint.access === 'webhook' ? 'text/plain' : 'application/json';
  const content =
    endpoint.status === 204 || endpoint.status === 302
      ? {}
      : { content: { [contentType]: { schema: replyOf(endpoint) } } };
  return {
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: endpoint.access === 'member' || endpoint.access === 'operator' ? [{ session: [] }] : [],
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...(endpoint.idempotent ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }] : []),
    ],
    ...(hasBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: {
      [endpoint.status]: { description: 'Success', ...content },
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [
          status,
          {
            description: codes.join(', '),
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  };
}

const pathOf = (endpoint: Endpoint): string => endpoint.path.replaceAll(/:([a-zA-Z]+)/g, '{$1}');

export function openApiOf(endpoints: readonly BoundEndpoint[], brandName: string, publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    paths[pathOf(endpoint)] ??= {};
    (paths[pathOf(endpoint)] as Record<string, object>)[endpoint.method.toLowerCase()] =
      operationOf(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brandName} API`,
      version: '1',
      description: 'Points are decimal strings; times are UTC.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: publicUrl.startsWith('https:') ? '__Host-sid' : 'sid',
        },
      },
      schemas: {
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'detail', 'code'],
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            code: { type: 'string', enum: Object.keys(refusals) },
            requestId: { type: 'string' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: { path: { type: 'string' }, message: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  };
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const formatted = (schema: Record<string, unknown>): string =>
  `<pre tabindex="0">${escaped(JSON.stringify(schema, null, 2))}</pre>`;

const folded = (title: string, schema: Record<string, unknown>): string =>
  `<details><summary>${title}</summary>${formatted(schema)}</details>`;

function sectionOf(endpoint: BoundEndpoint): string {
  const body = bodyOf(endpoint);
  const hasBody = Object.keys((body as ObjectSchema).properties ?? {}).length > 0;
  const name = `${endpoint.method} ${pathOf(endpoint)}`;
  return `<section id="${escaped(name.replaceAll(/[^a-zA-Z0-9]+/g, '-'))}"><h2><b>${endpoint.method}</b> ${escaped(
    pathOf(endpoint),
  )}</h2><p>${escaped(endpoint.summary)}. Access: ${endpoint.access}. Answers ${endpoint.status}.</p>
<p>Refusals: ${refusalsOf(endpoint)
    .map((code) => `<code>${refusals[code as keyof typeof refusals].status} ${code}</code>`)
    .join(' ')}</p>
${hasBody ? folded('Request', body) : ''}
${endpoint.status === 204 ? '' : folded('Reply', replyOf(endpoint))}</section>`;
}

const styleSheet = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;
margin:0 auto;padding:2rem 1rem;background:light-dark(#F6F1E6,#101612);color:light-dark(#17211B,#EFF1E9)}
section{border-top:1px solid light-dark(#DFD6C3,#2B372F);padding:1rem 0}h2{font-size:1.1rem;overflow-wrap:anywhere}
h2 b{color:light-dark(#0F4D37,#8FCDAA)}code,pre{font-size:.85rem}pre{overflow:auto;padding:1rem;border-radius:8px;
background:light-dark(#EEE7D8,#0B100D)}code{margin-right:.6em;white-space:nowrap}a{color:light-dark(#0F4D37,#8FCDAA)}
summary{cursor:pointer;min-height:24px}`;

/** The page, and the source of its style sheet for the content security policy. */
export type DocsPage = { html: string; styleHash: string };

/** Makes the page of the contract, without scripts. */
export function docsPageOf(endpoints: readonly BoundEndpoint[], brandName: string): DocsPage {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(brandName)} API</title>
<style>${styleSheet}</style></head><body><main><h1>${escaped(brandName)} API</h1>
<p>Generated from the schemas that check every request. As OpenAPI 3.1:
<a href="/api/openapi.json">/api/openapi.json</a></p>
${[...endpoints]
  .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
  .map(sectionOf)
  .join('\n')}</main></body></html>`;
  return { html, styleHash: `sha256-${createHash('sha256').update(styleSheet).digest('base64')}` };
}
