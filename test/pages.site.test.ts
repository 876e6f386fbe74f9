import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { optionalPages, screens, staticPages } from '#contract/screens.ts';
import { builtWeb } from './built-web.ts';
import { offerMethod } from './offered-methods.ts';
import { testSite } from './site.ts';

/** The pages that the server sends, read over HTTP. */
const distDir = builtWeb();
const site = await testSite({ after });
const root = resolve(import.meta.dirname, '..');

type Sent = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer };

/** A request without normalising the path or decompressing the answer. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  return new Promise((done, fail) => {
    const call = request(site.address, { path, headers, method }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
      );
    });
    call.on('error', fail);
    call.end();
  });
}

const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, headers)).bytes.toString();
const policyOf = ({ headers }: Sent) => String(headers['content-security-policy']);
const finished = ['/', ...staticPages];

describe('a prerendered document', () => {
  it('has complete metadata in the requested language', async () => {
    for (const path of finished)
      for (const language of ['en', 'ko'] as const) {
        const html = await textOf(`${path}?lang=${language}`);
        const url = `${site.origin}${path}`;
        const own = language === 'ko' ? `${url}?lang=ko` : url;
        const where = `${path} ${language}`;
        assert.ok(html.includes(`<html lang="${language}"`), where);
        assert.ok(/<title>[^<]{6,}<\/title>/.test(html), where);
        // Korean text needs half as many letters.
        const lettersMin = language === 'ko' ? 30 : 60;
        const letters = /<meta name="description" content="([^"]*)" \/>/.exec(html)?.[1]?.length ?? 0;
        assert.ok(letters >= lettersMin && letters <= 160, `${where}: a description of ${letters} letters`);
        for (const line of [
          `<link rel="canonical" href="${own}" />`,
          `<link rel="alternate" hreflang="en" href="${url}" />`,
          `<link rel="alternate" hreflang="ko" href="${url}?lang=ko" />`,
          `<link rel="alternate" hreflang="x-default" href="${url}" />`,
          `<meta property="og:url" content="${own}" />`,
          `<meta property="og:image" content="${site.origin}/icons/share.png" />`,
        ])
          assert.ok(html.includes(line), `${where}: ${line}`);
        assert.equal(html.match(/<h1[ >]/g)?.length, 1, path);
        assert.ok(!/__[A-Z_]+__|\{\w+\}<|\{brand\}/.test(html), `${path}: a place that nothing filled`);
        assert.equal(/[가-힣]{2}/.test(html.replaceAll('한국어', '')), language === 'ko', path);
      }
  });
  it('has its own title and description', async () => {
    for (const language of ['en', 'ko']) {
      const heads = await Promise.all(finished.map((path) => textOf(`${path}?lang=${language}`)));
      for (const part of [/<title>([^<]+)/, /name="description" content="([^"]+)/])
        assert.equal(new Set(heads.map((html) => part.exec(html)?.[1])).size, finished.length);
    }
  });
  it('uses the URL’s language, else the chosen one, else the browser’s', async () => {
    const languageOf = async (path: string, headers: Record<string, string>) =>
      /<html lang="(\w+)"/.exec(await textOf(path, headers))?.[1];
    for (const path of ['/', '/faq']) {
      assert.equal(await languageOf(path, {}), 'en');
      assert.equal(await languageOf(path, { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' }), 'ko');
      assert.equal(await languageOf(path, { 'accept-language': 'en', cookie: 'language=ko' }), 'ko');
      assert.equal(await languageOf(`${path}?lang=en`, { cookie: 'language=ko' }), 'en');
      assert.equal(await languageOf(`${path}?lang=fr`, { cookie: 'language=ko' }), 'ko');
    }
  });
  it('runs only inline scripts whose hashes are in its policy', async () => {
    for (const path of [...finished, '/offline']) {
      const sent = await get(path);
      const html = sent.bytes.toString();
      assert.ok(!policyOf(sent).includes('nonce-'), path);
      assert.ok(!html.includes('nonce='), path);
      for (const tag of ['script', 'style']) {
        const inline = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))];
        assert.equal(inline.length, 1, `${path}: ${tag}`);
        const hash = createHash('sha256')
          .update(inline[0]?.[1] ?? '')
          .digest('base64');
        assert.match(policyOf(sent), new RegExp(`${tag}-src [^;]*'sha256-${RegExp.escape(hash)}'`));
      }
      assert.match(policyOf(sent), /frame-src 'none'/);
    }
  });
  it('names the processing time, the support address and the age in every language', async () => {
    for (const path of ['/', '/terms', '/faq', '/help']) {
      assert.ok((await textOf(`${path}?lang=en`)).includes('1–3 business days'), path);
      assert.ok((await textOf(`${path}?lang=ko`)).includes('영업일 1~3일'), path);
    }
    for (const path of finished) assert.ok((await textOf(path)).includes('mailto:support@localhost'), path);
    for (const path of ['/', '/terms', '/privacy'])
      for (const language of ['en', 'ko'])
        assert.ok(/\b14/.test(await textOf(`${path}?lang=${language}`)), path);
  });
  it('promises the payment methods that are switched on, and no other', async () => {
    const named = async (path: string, language: string) => {
      const html = await textOf(`${path}?lang=${language}`);
      return new Set(html.match(/Litecoin|\bDash\b|PayPal|라이트코인|대시(?!보드)/g));
    };
    for (const path of finished)
      for (const language of ['en', 'ko']) assert.deepEqual([...(await named(path, language))], [], path);
    await offerMethod(site.platform, 'dash');
    site.platform.bus.announceSiteChange();
    while ((await named('/', 'en')).size === 0) await setTimeout(20);
    for (const path of ['/', '/faq', '/help', '/terms', '/about', '/privacy']) {
      assert.deepEqual([...(await named(path, 'en'))], ['Dash'], path);
      assert.deepEqual([...(await named(path, 'ko'))], ['대시'], path);
    }
    assert.match(await textOf('/help?lang=en'), /Dash addresses begin with X or 7\./);
    const { body } = await site.call('GET', '/api/config');
    assert.deepEqual(body.payoutMethods, [{ names: { en: 'Dash', ko: '대시' }, beginnings: ['X', '7'] }]);
  });
  it('links to every other text page, and to existing pages only', async () => {
    const known = new Set<string>([...screens, ...staticPages]);
    for (const path of finished) {
      const html = await textOf(path);
      const links = [...html.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)].map(([, href]) => href ?? '');
      for (const page of staticPages) assert.ok(links.includes(page), `${path} to ${page}`);
      for (const link of links) assert.ok(known.has(link), `${path} leads to ${link}`);
    }
  });
  it('§2-2 pages of text: has nine folded questions and twelve articles', async () => {
    for (const language of ['en', 'ko']) {
      assert.equal((await textOf(`/faq?lang=${language}`)).match(/<details>/g)?.length, 9);
      assert.equal((await textOf(`/terms?lang=${language}`)).match(/<h2 id="section-/g)?.length, 12);
    }
  });
});

describe('over the wire', () => {
  it('compresses a document as the browser accepts it, with a Vary header', async () => {
    for (const path of ['/', '/faq', '/auth']) {
      const [plain, gzipped, brotli] = [
        await get(path),
        await get(path, { 'accept-encoding': 'gzip' }),
        await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
      ];
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(gzipped.headers['content-encoding'], 'gzip');
      assert.equal(brotli.headers['content-encoding'], 'br');
      const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '');
      const [a, b, c] = [plain.bytes, gunzipSync(gzipped.bytes), brotliDecompressSync(brotli.bytes)].map(
        (bytes) => withoutNonce(bytes.toString()),
      );
      assert.equal(a, b);
      assert.equal(a, c);
      assert.ok(brotli.bytes.length < plain.bytes.length / 2, path);
      for (const { headers } of [plain, gzipped, brotli])
        assert.equal(headers.vary, 'Cookie, Accept-Language, Accept-Encoding');
    }
  });
  it('answers 304 for an unchanged text page', async () => {
    const first = await get('/terms', { 'accept-encoding': 'br' });
    assert.equal(first.headers['cache-control'], 'no-cache');
    const etag = String(first.headers.etag);
    const again = await get('/terms', { 'accept-encoding': 'br', 'if-none-match': `"other", ${etag}` });
    assert.equal(again.status, 304);
    assert.equal(again.bytes.length, 0);
    const korean = await get('/terms?lang=ko', { 'accept-encoding': 'br', 'if-none-match': etag });
    assert.equal(korean.status, 200);
    const head = await get('/terms', {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.bytes.length, 0);
  });
  it('forbids caching of the front page, because members get the app there', async () => {
    const member = await site.member();
    const [visitor, signedIn] = [await get('/'), await get('/', { cookie: member.cookie })];
    for (const { headers } of [visitor, signedIn]) assert.equal(headers['cache-control'], 'no-store');
    assert.match(visitor.bytes.toString(), /<h1>/);
    assert.match(signedIn.bytes.toString(), /<div id="root">/);
  });
  it('has compressed files beside every script and style, and sends them under its name', async () => {
    const files = readdirSync(join(distDir, 'assets'));
    const large = files.filter(
      (file) => /\.(js|css)$/.test(file) && statSync(join(distDir, 'assets', file)).size >= 600,
    );
    assert.ok(large.length > 20);
    for (const file of large)
      for (const ending of ['br', 'gz']) assert.ok(files.includes(`${file}.${ending}`), `${file}.${ending}`);
    const name = large.find((file) => file.endsWith('.js')) ?? '';
    const sent = await get(`/assets/${name}`, { 'accept-encoding': 'gzip, br' });
    assert.equal(sent.headers['content-encoding'], 'br');
    assert.match(String(sent.headers['content-type']), /javascript/);
    assert.match(String(sent.headers.vary), /accept-encoding/i);
    assert.equal(sent.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.ok(sent.headers.etag);
    assert.deepEqual(brotliDecompressSync(sent.bytes), readFileSync(join(distDir, 'assets', name)));
    assert.equal(
      (await get(`/assets/${name}`, { 'accept-encoding': 'gzip' })).headers['content-encoding'],
      'gzip',
    );
    assert.equal((await get(`/assets/${name}.br`)).status, 404);
    const head = await get(`/assets/${name}`, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.bytes.length, 0);
  });
  it('answers 404 to paths that leave the folder of scripts and styles', async () => {
    const absent = [
      '',
      '.',
      '..',
      '../index.html',
      '..%2findex.html',
      '%2e%2e/.stamp',
      '../documents/faq.en.html',
      '../../package.json',
      'a//b.js',
      './x.js',
      'none.js',
      'none.js.br',
      'c:\\index.html',
    ];
    const unreadable = ['%', '%ff', '%00', 'a%00.js'];
    for (const path of [...absent, ...unreadable])
      for (const encoding of ['br', 'identity']) {
        const sent = await get(`/assets/${path}`, { 'accept-encoding': encoding });
        assert.equal(sent.status, 404, `${path}, ${encoding}`);
        assert.equal(sent.headers['cache-control'], 'no-store', path);
        const isPage = String(sent.headers['content-type']).startsWith('text/html');
        assert.ok(isPage || unreadable.includes(path), path);
      }
    for (const path of ['/index.html', '/.stamp', '/documents/faq.en.html', '/icons/', '/sw.js.br'])
      assert.equal((await get(path)).status, 404, path);
  });
});

describe('search engines', () => {
  it('may read public pages, and robots.txt names no others', async () => {
    const { status, headers, bytes } = await get('/robots.txt');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /text\/plain/);
    const lines = bytes.toString().split('\n');
    for (const path of staticPages) assert.ok(lines.includes(`Allow: ${path}`));
    assert.ok(lines.includes('Allow: /$') && lines.includes('Disallow: /'));
    assert.ok(lines.includes(`Sitemap: ${site.origin}/sitemap.xml`));
    assert.ok(!/management|admin|secret/.test(bytes.toString()));
  });
  it('find every public page in the sitemap in both languages', async () => {
    const xml = await textOf('/sitemap.xml');
    const urls = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? '');
    assert.equal(urls.length, finished.length * 2);
    for (const url of urls) {
      assert.ok(url.startsWith(`${site.origin}/`));
      const { status, headers } = await get(url.replace(site.origin, ''));
      assert.equal(status, 200, url);
      assert.equal(headers['x-robots-tag'], undefined, url);
      assert.equal(headers['content-language'], url.endsWith('?lang=ko') ? 'ko' : 'en');
    }
  });
  it('may not index members’ and operators’ screens, the offline notice and not-found pages', async () => {
    for (const path of [...screens.filter((screen) => screen !== '/'), '/offline', '/nothing'])
      assert.equal((await get(path)).headers['x-robots-tag'], 'noindex', path);
  });
});

describe('the set of pages', () => {
  it('leads a screen’s address with a slash too many to the screen', async () => {
    for (const [path, target] of [
      ['/management-panel-x7k9w/', '/management-panel-x7k9w'],
      ['/management-panel-x7k9w/withdrawals/?status=all', '/management-panel-x7k9w/withdrawals?status=all'],
    ] as const) {
      const { status, headers } = await get(path);
      assert.deepEqual([status, headers.location], [308, target]);
    }
    for (const path of ['//', '//example.com/', '/management-panel-x7k9w/nope/'])
      assert.equal((await get(path)).status, 404, path);
  });
  it('§1-2 other pages: answers 404 for an optional page without Markdown', async () => {
    for (const path of optionalPages) assert.equal((await get(path)).status, 404, path);
  });
  it('has a route for every screen of the contract, and no other', () => {
    const routes = ['routes.tsx', 'screens.ts']
      .map((name) => readFileSync(join(root, 'web', name), 'utf8'))
      .join('\n');
    const literal = [...routes.matchAll(/(?:path: |^ {2}\w+\()'(\/[^']*)'/gm)].map(([, path]) => path);
    assert.deepEqual([...new Set(literal)].sort(), [...screens].sort());
  });
  it('has a title for every screen', () => {
    const routes = readFileSync(join(root, 'web/routes.tsx'), 'utf8');
    const listed = readFileSync(join(root, 'web/screens.ts'), 'utf8');
    const created = routes.split('createRoute(').slice(1);
    const blocks = [
      ...created.map((text) => text.split(');\n')[0] ?? ''),
      ...listed.split(/\n {2}\w+: \{/).slice(1),
    ];
    assert.ok(blocks.length > 20);
    const unnamed = blocks.filter(
      (block) => /path: /.test(block) && !/staticData: \{ title: '\w+' \}|throw redirect|title:/.test(block),
    );
    assert.deepEqual(unnamed, []);
  });
});

describe('installing', () => {
  it('has a manifest with the brand’s name, the reader’s language and existing icons', async () => {
    for (const language of ['en', 'ko']) {
      const sent = await get(`/manifest.webmanifest?lang=${language}`);
      assert.match(String(sent.headers['content-type']), /application\/manifest\+json/);
      const manifest = JSON.parse(sent.bytes.toString());
      assert.equal(manifest.name, 'Earnest');
      assert.equal(manifest.lang, language);
      assert.equal(manifest.display, 'standalone');
      assert.match(manifest.background_color, /^#[0-9a-f]{6}$/);
      assert.equal(/[가-힣]/.test(manifest.shortcuts[0].name), language === 'ko');
      for (const { src, sizes, type } of manifest.icons) {
        const icon = await get(src);
        assert.equal(icon.status, 200, src);
        assert.match(String(icon.headers['content-type']), new RegExp(RegExp.escape(type)));
        // A PNG's width and height are bytes 9 to 16 after its signature.
        if (type === 'image/png')
          assert.equal(`${icon.bytes.readUInt32BE(16)}x${icon.bytes.readUInt32BE(20)}`, sizes);
      }
      const purposes = manifest.icons.map((icon: { purpose: string }) => icon.purpose);
      assert.ok(purposes.includes('maskable'));
    }
    assert.equal((await get('/icons/apple-touch-icon.png')).status, 200);
  });
  it('revalidates the service worker, which may reach only the site and caches existing files', async () => {
    const { status, headers, bytes } = await get('/sw.js');
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.match(String(headers['content-security-policy']), /default-src 'none'; connect-src 'self'/);
    const kept = /addAll\((\[[^\]]+\])\)/.exec(bytes.toString())?.[1] ?? '[]';
    const files = JSON.parse(kept) as string[];
    assert.ok(files.length >= 4);
    for (const file of files) assert.equal((await get(file)).status, 200, file);
  });
});

describe('counting', () => {
  it('allows the vendor in a page’s policy only on a site that counts, for readers who agreed', async () => {
    const counting = await testSite({ after }, { ANALYTICS_MEASUREMENT_ID: 'G-TEST123' });
    const member = await counting.member();
    const vendor = /googletagmanager|google-analytics/;
    for (const path of ['/', '/faq', '/auth', '/earn'])
      for (const [where, cookie, isOpen] of [
        [site, 'analytics=granted', false],
        [counting, 'analytics=denied', false],
        [counting, member.cookie, false],
        [counting, 'analytics=granted', true],
      ] as const) {
        const { headers } = await where.call('GET', path, { headers: { cookie } });
        assert.equal(vendor.test(headers.get('content-security-policy') ?? ''), isOpen, `${path} ${cookie}`);
      }
    for (const path of ['/reset-password', '/verify-email', '/admin-login', '/management-panel-x7k9w']) {
      const { headers } = await counting.call('GET', path, { headers: { cookie: 'analytics=granted' } });
      assert.ok(!vendor.test(headers.get('content-security-policy') ?? ''), path);
    }
    const faq = String((await counting.call('GET', '/faq')).body);
    assert.ok(faq.includes('"measurement-id" content="G-TEST123"'));
    assert.ok((await textOf('/faq')).includes('"measurement-id" content=""'));
  });
});
