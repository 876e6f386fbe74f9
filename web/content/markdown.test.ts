import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readPage } from './markdown.ts';

const head = '---\ntitle: T\ndescription: D\nlead: L\n---\n';
const read = (body: string, folds = false) => readPage('x.md', head + body, folds);
const fileOf = (language: string, name: string) =>
  readFileSync(new URL(`./${language}/${name}.md`, import.meta.url), 'utf8');

test('refuses a page with missing or incomplete front matter', () => {
  assert.throws(() => readPage('x.md', 'Text', false), /has no head/);
  assert.throws(() => readPage('x.md', '---\ntitle: T\nlead: L\n---\nText', false), /lacks description/);
});

test('shows raw HTML as text, and links to no script', () => {
  assert.match(read('<script>alert(1)</script>').html, /&lt;script&gt;/);
  assert.match(read('a <b onclick="x">b</b>').html, /&lt;b onclick=&quot;x&quot;&gt;/);
  assert.throws(() => read('[x](javascript:alert(1))'), /leads nowhere/);
  assert.throws(() => read('[x](//example.com)'), /leads nowhere/);
  assert.match(read('[x](/faq)').html, /<a href="\/faq">x<\/a>/);
});

test('keeps tildes of ranges, and joins a sum with its P', () => {
  assert.match(read('5~15분, 50~500 P').html, /5~15분, 50~500\u00a0P/);
});

test('gives second-level headings ids, or folds the text below them', () => {
  const { html, headings } = read('## One\n\na\n\n## Two\n\nb');
  assert.deepEqual(headings, [
    { id: 'section-1', text: 'One' },
    { id: 'section-2', text: 'Two' },
  ]);
  assert.match(html, /<h2 id="section-2">Two<\/h2>/);
  const folded = read('## One\n\na\n\n## Two\n\nb', true).html;
  assert.equal(folded.match(/<details><summary><h2/g)?.length, 2);
  assert.throws(() => read('Before\n\n## One', true), /no question/);
});

test('has the same pages with the same parts in both languages', () => {
  const names = readdirSync(new URL('./en/', import.meta.url)).sort();
  assert.deepEqual(readdirSync(new URL('./ko/', import.meta.url)).sort(), names);
  for (const file of names) {
    const name = file.replace('.md', '');
    const parts = ['en', 'ko'].map((language) => {
      const { html } = readPage(file, fileOf(language, name), name === 'faq');
      return ['h2', 'li', 'tr', 'a href', 'details'].map((tag) => html.split(`<${tag}`).length - 1);
    });
    assert.deepEqual(parts[0], parts[1], name);
  }
});

test('has twelve articles of terms and nine questions', () => {
  for (const language of ['en', 'ko']) {
    assert.equal(readPage('terms', fileOf(language, 'terms'), false).headings.length, 12);
    assert.equal(readPage('faq', fileOf(language, 'faq'), true).html.split('<details>').length - 1, 9);
  }
});
