import { Marked, type Token } from 'marked';

/**
 * Makes a text page from Markdown. The file begins with front matter: the title, the description for search engines and
 * the sentence under the title:
 *
 *     ---
 *     title: Help
 *     description: …
 *     lead: …
 *     ---
 *
 * No line breaks between a sum and its P. Raw HTML is shown as text. Links may point into the site, to https or to a
 * mail address.
 */
export type Page = {
  title: string;
  description: string;
  lead: string;
  html: string;
  headings: { id: string; text: string }[];
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const isSafe = (href: string): boolean => /^(\/(?!\/)|#|https:\/\/|mailto:)/.test(href);

/**
 * Reads a page. `folds` makes an accordion of the second-level headings. Throws if the front matter is missing or
 * incomplete.
 */
export function readPage(path: string, source: string, folds: boolean): Page {
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? [];
  if (head === undefined || body === undefined)
    throw new Error(`${path}: has no head between two lines of ---`);
  const fields = new Map(
    head.split(/\r?\n/).map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
    }),
  );
  const field = (name: string): string => {
    const value = fields.get(name) ?? '';
    if (value === '') throw new Error(`${path}: the head lacks ${name}`);
    return value;
  };
  const page = { title: field('title'), description: field('description'), lead: field('lead') };
  const text = body.replaceAll(/(\d) P\b/g, '$1\u00a0P');
  return { ...page, ...(folds ? folded(path, text) : flowing(path, text)) };
}

/** A Markdown parser that gives second-level headings ids and collects them in order. */
function markdownFor(path: string) {
  const headings: Page['headings'] = [];
  const marked = new Marked({
    // In Korean `5~15` is a range, so tildes don't strike text out.
    tokenizer: { del: () => undefined },
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth !== 2) return `<h${depth}>${inner}</h${depth}>\n`;
        const id = `section-${headings.length + 1}`;
        headings.push({ id, text });
        return `<h2 id="${id}">${inner}</h2>\n`;
      },
      link({ href, tokens }) {
        if (!isSafe(href)) throw new Error(`${path}: the link ${href} leads nowhere that is allowed`);
        return `<a href="${escaped(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ text }) => escaped(text),
    },
  });
  return { marked, headings };
}

function flowing(path: string, body: string): Pick<Page, 'html' | 'headings'> {
  const { marked, headings } = markdownFor(path);
  return { html: marked.parse(body, { async: false }), headings };
}

/** Makes each second-level heading a question that opens, and the text below it the answer. */
function folded(path: string, body: string): Pick<Page, 'html' | 'headings'> {
  const { marked } = markdownFor(path);
  const questions: { question: Token; answer: Token[] }[] = [];
  for (const token of marked.lexer(body)) {
    if (token.type === 'heading' && token.depth === 2) questions.push({ question: token, answer: [] });
    else if (questions.length > 0) questions.at(-1)?.answer.push(token);
    else if (token.type !== 'space') throw new Error(`${path}: begins with something that is no question`);
  }
  const html = questions
    .map(({ question, answer }) => {
      const title = marked.parser([question]).trim();
      return `<details><summary>${title}</summary><div>${marked.parser(answer)}</div></details>\n`;
    })
    .join('');
  return { html, headings: [] };
}
