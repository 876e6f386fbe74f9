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
    '<p>__PROCESSING_TIME__</p><p>__BONUS_RANGE__: __BONUS_DAYS__</p><script>second()</script>',
);
write('careers.ko.html', '<head></head><p>__PROCESSING_TIME__ __SUPPORT_EMAIL__ __UNKNOWN_PLACE__</p>');
write(
  'terms.en.html',
  '<head><link rel="icon" href="/icon.svg" type="image/svg+xml" /></head><svg class="other"><path d="M0"/></svg>' +
    '<svg data-brand-mark="" viewBox="0 0 32 32" width="22" height="22"><path d="M1"/></svg>',
);
write('manifest.en.json', '{"name":"__BRAND_NAME__"}');

const facts: SiteFacts = {
  brandName: 'A & "B" <script>',
  supportEmail: 'help@example.com',
  logoUrl: null,
  colors: { light: null, dark: null },
  processingTime: '1–3 business days',
  bonusSchedule: ['5', '10', '60'],
  measurementId: null,
  announcementId: null,
  payoutMethods: [],
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
  assert.ok(html.includes('<p>1–3 business days</p><p>5 to 60: 5, 10 and 60</p>'));
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
  assert.deepEqual(documents.hashesOf('careers', 'en', facts), { scripts: [`'sha256-${hash}'`], styles: [] });
});

test('puts an operator’s logo and colours into a document and allows its style sheet', () => {
  const branded: SiteFacts = {
    ...facts,
    logoUrl: '/brand/0123456789abcdef0123456789abcdef-192.png',
    colors: { light: { green: '#123456', cover: '#123456', 'on-cover-2': '#ABCDEF' }, dark: null },
  };
  const html = textOf('terms', 'en', branded) ?? '';
  assert.ok(
    html.includes('<link rel="icon" href="/brand/0123456789abcdef0123456789abcdef-192.png" />'),
    html,
  );
  assert.ok(
    html.includes(
      '<img src="/brand/0123456789abcdef0123456789abcdef-192.png" alt="" width="22" height="22">',
    ),
  );
  assert.ok(html.includes('<svg class="other"><path d="M0"/></svg>'), 'other pictures stay');
  const [, styles = ''] = /<style data-brand>(.*?)<\/style>/.exec(html) ?? [];
  assert.match(styles, /--e-green:#123456/);
  const hash = createHash('sha256').update(styles).digest('base64');
  assert.deepEqual(documents.hashesOf('terms', 'en', branded).styles, [`'sha256-${hash}'`]);
  const plain = textOf('terms', 'en') ?? '';
  assert.ok(plain.includes('data-brand-mark') && !plain.includes('<style'));
  const manifest = JSON.parse(textOf('manifest', 'en', branded) ?? '');
  assert.deepEqual(manifest.icons, [
    { src: branded.logoUrl, sizes: '192x192', type: 'image/png', purpose: 'any' },
  ]);
  const colored = JSON.parse(textOf('manifest', 'en', { ...branded, logoUrl: null }) ?? '');
  assert.deepEqual(colored.icons, [
    { src: '/brand/mark-123456-ABCDEF.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ]);
});
