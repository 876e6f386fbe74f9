import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Endpoint } from './endpoint.ts';
import { eventTopics } from './events.ts';

const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
const exported = (await Promise.all(files.map((name) => import(`./${name}`)))).flatMap(Object.values);
const endpoints = exported.filter(
  (value): value is Endpoint => typeof value === 'object' && value !== null && 'method' in value,
);
const read = new Set(endpoints.flatMap(({ topic }) => topic ?? []));

test('names a topic at reads and refreshes topics at writes', () => {
  assert.ok(endpoints.length > 50 && read.size > 5);
  for (const { method, path, topic, refreshes } of endpoints) {
    if (topic !== undefined) assert.equal(method, 'GET', path);
    if (refreshes !== undefined) assert.notEqual(method, 'GET', path);
  }
});

test('refreshes only topics that some endpoint reads', () => {
  const refreshed = [...Object.values(eventTopics), ...endpoints.map(({ refreshes }) => refreshes ?? [])];
  for (const topic of refreshed.flat()) assert.ok(read.has(topic), topic);
});
