import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readDocuments, type SiteFacts } from './documents.ts';

const distDir = mkdtempSync(join(tmpdir(), 'earnest-documents-'));
after(() => rmSync(distDir, { recursive: true }));
mkdirSync(join(distDir, 'documents'));
const write = (name: string, text: string) => writeFileSync(join(distDir, 'documents', name), text);
write(
  'careers.en.html',
  '<head><title>__BRAND_NAME__</title><script>first()</script></head>' +
    '<p>__PROCESSING_TIME__</p><script>second()</script>',
);
write('careers.ko.html', '<head></head><p>__PROCESSING_TIME__ __SUPPORT_EMAIL__ __UNKNOWN_PLACE__</p>');
write('manifest.en.json', '{"name":"__BRAND_NAME__"}');

const facts: SiteFacts = {
  brandName: 'A & "B" <script>',
  supportEmail: 'help@example.com',
  processingTime: '1–3 business days',
  measurementId: null,
  publicUrl: 'https://example.com',
};
const documents = readDocuments(distDir);
const textOf = (name: string, language: 'en' | 'ko', said = facts) =>
  documents.send(name, language, said, 'identity')?.bytes.toString();

test('has an optional page only if the build made it', () => {
  assert.equal(documents.has('careers'), true);
  assert.equal(documents.has('blog'), false);
  assert.equal(documents.send('blog', 'en', facts, 'br'), undefined);
});

test('fills in an operator’s facts as text, never as markup, and only into placeholders', () => {
  const html = textOf('careers', 'en') ?? '';
  assert.ok(html.includes('<title>A &amp; &quot;B&quot; &lt;script&gt;</title>'));
  assert.ok(html.includes('<p>1–3 business days</p>'));
  assert.ok(textOf('careers', 'ko')?.includes('<p>영업일 1~3일 help@example.com __UNKNOWN_PLACE__</p>'));
  assert.deepEqual(JSON.parse(textOf('manifest', 'en') ?? ''), { name: facts.brandName });
});

test('makes a document once, and again after a fact changed', () => {
  const first = documents.send('careers', 'en', facts, 'br');
  assert.equal(documents.send('careers', 'en', { ...facts }, 'br'), first);
  const renamed = documents.send('careers', 'en', { ...facts, brandName: 'Other' }, 'br');
  assert.notEqual(renamed?.etag, first?.etag);
  assert.notEqual(documents.send('careers', 'en', facts, 'gzip')?.etag, first?.etag);
});

test('allows only scripts that the build put into the head', () => {
  const hash = createHash('sha256').update('first()').digest('base64');
  assert.deepEqual(documents.hashesOf('careers', 'en'), { scripts: [`'sha256-${hash}'`], styles: [] });
});
