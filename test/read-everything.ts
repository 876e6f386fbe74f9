import assert from 'node:assert/strict';
import { screens } from '#contract/screens.ts';

/** Reads all that the site shows by GET. */

type Read<As> = (path: string, as: As) => Promise<{ status: number; text: string }>;

const pages = [
  '/terms',
  '/privacy',
  '/about',
  '/offline',
  '/api/docs',
  '/healthz',
  '/readyz',
  '/robots.txt',
  '/sitemap.xml',
  '/nothing',
  '/api/nothing',
];

/**
 * Calls every GET of the contract and every page as each caller, with these ids, as JSON, as CSV and as a search.
 * @returns the paths of the contract, and those that somebody was answered
 */
export async function readEverything<As>(
  read: Read<As>,
  callers: readonly As[],
  ids: readonly string[],
): Promise<{ reads: string[]; paths: Set<string> }> {
  const contract = JSON.parse((await read('/api/openapi.json', callers[0] as As)).text) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  // A redirect to another site answers 302 without a body. A webhook is no read.
  const reads = Object.keys(contract.paths).filter(
    (path) => contract.paths[path]?.get?.responses['200'] !== undefined && !path.includes('/webhooks/'),
  );
  const paths = new Set<string>();
  for (const as of callers) {
    for (const path of reads)
      for (const id of path.includes('{') ? ids : [''])
        for (const query of [
          '',
          '?limit=100',
          '?format=csv',
          ...ids.slice(-1).map((last) => `?q=${last}&member=${last}&text=${last}&action=withdrawal.reject`),
        ]) {
          const { status } = await read(`${path.replaceAll(/\{\w+\}/g, id)}${query}`, as);
          assert.notEqual(status, 500, path);
          if (status === 200) paths.add(path);
        }
    for (const page of [...screens, ...pages]) await read(page, as);
  }
  return { reads, paths };
}
