import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readTree, type Source } from './source-tree.ts';

/**
 * Checks that type, spacing, radius, breakpoints, durations and colours are the tokens of `web/ui/tokens.css` and
 * `web/ui/sizes.ts`, and refuses raw values elsewhere. Own measures of an element (the width of a coin, the height of
 * an icon's plate) may be written where it is drawn.
 */
const web = resolve(import.meta.dirname, '../web');

/** Each exempt file, with the rules that it may break and the reason. */
const exceptions: Record<string, { rules: string[]; reason: string }> = {
  'web/ui/tokens.css': { rules: ['colour', 'token'], reason: 'defines the tokens' },
  'web/ui/theme.ts': { rules: ['colour'], reason: 'the component library computes shades from hex values' },
  'web/ui/fonts.css': { rules: ['font-weight'], reason: 'a font face states the range of weights it serves' },
  'web/ui/base.css': { rules: ['duration'], reason: 'reduced motion cuts every duration to almost nothing' },
  'web/build/draw-icons.ts': { rules: ['colour'], reason: 'draws pictures outside the site' },
  'web/build/document-head.ts': {
    rules: ['colour'],
    reason: 'the colour of the browser’s own bar stands in a meta tag',
  },
};

/** Custom properties that hold a measure of an element, by their names. */
const ownMeasures: [name: RegExp, reason: string][] = [
  [
    /^--(button-height|input-height|input-size)-(sm|md|lg)$/,
    'the component library sizes its controls by them',
  ],
  [/^--ticks$/, 'the picture of a milled edge'],
];

type Fault = { rule: string; text: string };

const token = (kind: string) => new RegExp(`^var\\(--e-${kind}(-[a-z0-9-]+)?\\)$`);
const plain = /^(0|auto|inherit|normal|none)$/;

/** Splits a value at its outer spaces: `0 calc(1px + 2px)` has two parts. */
const partsOf = (value: string): string[] =>
  value.replace('!important', '').match(/(?:[^\s(]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+/g) ?? [];

const spacing = token('(space|pull|spine|plate-width|top-bar|bottom-bar)');
const radius = token('(radius|space)');

/** A sum of tokens, the hairline's 1px and the window's safe area; factors are integers. */
function isSum(part: string, kind: RegExp): boolean {
  const inner = /^calc\((.*)\)$/.exec(part)?.[1];
  if (inner === undefined) return false;
  return inner
    .replace(/env\([a-z-]+\)/g, '0')
    .replace(/\bcalc\(/g, '(')
    .split(/\s[+*/-]\s/)
    .every((one) => isSize(one.trim(), kind) || /^-?\d+$/.test(one.trim()));
}

const isSize = (part: string, kind: RegExp): boolean =>
  plain.test(part) ||
  part === '1px' ||
  part === '-1px' ||
  /^env\([a-z-]+\)$/.test(part) ||
  kind.test(part) ||
  isSum(part, kind);

const rules: { rule: string; property: RegExp; allows: (value: string) => boolean }[] = [
  { rule: 'font', property: /^font$/, allows: (value) => value === 'inherit' },
  {
    rule: 'font-size',
    property: /^font-size$/,
    allows: (value) => plain.test(value) || token('size').test(value),
  },
  {
    rule: 'font-weight',
    property: /^font-weight$/,
    allows: (value) => plain.test(value) || token('weight').test(value),
  },
  {
    rule: 'line-height',
    property: /^line-height$/,
    allows: (value) => plain.test(value) || value === '1' || token('leading').test(value),
  },
  {
    rule: 'letter-spacing',
    property: /^letter-spacing$/,
    allows: (value) => plain.test(value) || token('tracking').test(value),
  },
  {
    rule: 'radius',
    property: /radius$/,
    allows: (value) => partsOf(value).every((part) => part === '50%' || isSize(part, radius)),
  },
  {
    rule: 'spacing',
    property: /^(scroll-)?(margin|padding)(-|$)|(^|-)gap$|^--.*-(padding|margin|gap)/,
    allows: (value) => partsOf(value).every((part) => isSize(part, spacing)),
  },
  {
    rule: 'duration',
    property: /^(transition|animation)/,
    allows: (value) => !/(^|[\s,(])\d*\.?\d+m?s\b|cubic-bezier|(^|[\s,])ease/.test(value),
  },
];

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '');

/** Every declaration of a style file: name and value. */
const declarationsOf = (css: string): [string, string][] =>
  [...css.matchAll(/(?<=[{};]\s*)([a-z-][\w-]*)\s*:\s*([^;{}]+)(?=[;}])/gi)].map((match) => [
    match[1] as string,
    (match[2] as string).replace(/\s+/g, ' ').trim(),
  ]);

/** The rule that a custom property breaks: a token is defined in its file alone, and no other property holds a size. */
function propertyFault(property: string, value: string): string | undefined {
  if (property.startsWith('--e-')) return 'token';
  const isMeasure = ownMeasures.some(([name]) => name.test(property));
  return property.startsWith('--') &&
    !isMeasure &&
    /(?<![\w-])-?\d*\.?\d+(px|r?em|m?s|ch|ex|pt|v[hw])\b/.test(value)
    ? 'custom property'
    : undefined;
}

function styleFaults(text: string): Fault[] {
  const css = withoutComments(text);
  const faults = declarationsOf(`{${css}`).flatMap(([property, value]) =>
    [propertyFault(property, value)]
      .concat(
        rules.filter((one) => one.property.test(property) && !one.allows(value)).map(({ rule }) => rule),
      )
      .filter((rule) => rule !== undefined)
      .slice(0, 1)
      .map((rule) => ({ rule, text: `${property}: ${value}` })),
  );
  for (const [text] of css.matchAll(/@property\s+--e-[\w-]*/g)) faults.push({ rule: 'token', text });
  for (const [query] of css.matchAll(/@(media|container)[^{]*\b(width|height)\b[^{]*/g))
    faults.push({ rule: 'breakpoint', text: query.trim() });
  for (const [colour] of css.matchAll(/#[0-9a-f]{3,8}\b(?=[\s;,)])|\b(rgb|hsl|oklch)a?\(/gi))
    faults.push({ rule: 'colour', text: colour });
  return faults;
}

/** Values that scripts may not have: sizes as numbers in the component library's props and in style objects. */
const scriptRules: [string, RegExp][] = [
  ['type', /\b(fz|fw|lh|lts)=(\{-?[\d.]|"[\d.])/],
  ['type', /\b(fontSize|fontWeight|lineHeight|letterSpacing): ['"]?-?[\d.]/],
  ['radius', /\bradius=(\{[1-9]|"\d)|\b(borderRadius|radius): ['"]?[1-9]/],
  ['spacing', /\b([mp][trblxy]?|gap|spacing)=(\{-?[1-9]|"-?\d)/],
  ['spacing', /\b(margin|padding)(Top|Right|Bottom|Left|Inline|Block)?: ['"]?-?[1-9]|\bgap: ['"]?[1-9]/],
  ['spacing', /\bstyle="[^"]*\b(margin|padding|gap):\s*[1-9]/],
  ['breakpoint', /\((min|max)-width:\s*[\d.]/],
  ['duration', /\btransitionProps[^\n]*duration: ?\d/],
  ['colour', /['"`]#[0-9a-fA-F]{6}['"`]/],
  ['token', /['"`]--e-[\w-]+['"`]\]?\s*[:,]/],
];

const scriptFaults = (text: string): Fault[] =>
  scriptRules.flatMap(([rule, pattern]) => {
    const found = pattern.exec(withoutComments(text));
    return found === null ? [] : [{ rule, text: found[0] }];
  });

const faultsOf = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => !/\.test\.tsx?$/.test(path) && /\.(css|tsx?)$/.test(path))
    .flatMap(({ path, text }) =>
      (path.endsWith('.css') ? styleFaults(text) : scriptFaults(text))
        .filter(({ rule }) => !exceptions[path]?.rules.includes(rule))
        .map((fault) => `${path}: ${fault.rule}: ${fault.text}`),
    );

const sources = readTree(web);

describe('the sizes', () => {
  it('are read from the style files', () => {
    const styles = sources.filter(({ path }) => path.endsWith('.css'));
    assert.ok(styles.length > 50, `only ${styles.length} files were found`);
    const declarations = styles.flatMap(({ text }) => declarationsOf(`{${withoutComments(text)}`));
    assert.ok(declarations.length > 2_000, `only ${declarations.length} declarations were read`);
  });
  it('are tokens in every file', () => assert.deepEqual(faultsOf(sources), []));
  it('are exempted in no file that keeps the rule', () => {
    for (const [path, { rules: excepted }] of Object.entries(exceptions)) {
      const text = sources.find((source) => source.path === path)?.text;
      assert.ok(text !== undefined, `${path} is not there`);
      const found = path.endsWith('.css') ? styleFaults(text) : scriptFaults(text);
      for (const rule of excepted)
        assert.ok(
          found.some((one) => one.rule === rule),
          `${path}: ${rule}`,
        );
    }
  });
  it('stand in own measures that a style file has', () => {
    const styles = sources.filter(({ path }) => path.endsWith('.css')).map(({ text }) => text);
    const names = styles.flatMap((text) => declarationsOf(`{${withoutComments(text)}`).map(([name]) => name));
    for (const [pattern] of ownMeasures)
      assert.ok(
        names.some((name) => pattern.test(name)),
        String(pattern),
      );
  });
});

describe('the guard of sizes', () => {
  const styles = [
    'font-size: 14px;',
    'font-size: 0.9em;',
    'font: 600 14px/20px serif;',
    'font-weight: 560;',
    'line-height: 20px;',
    'line-height: 1.4;',
    'letter-spacing: -0.02em;',
    'border-radius: 7px;',
    'border-radius: var(--e-radius-card) 3px 0 0;',
    'margin: 4px 0 20px;',
    'margin-top: 2px;',
    'margin-left: -0.055em;',
    'padding: 0 calc(var(--e-space-8) + 3px);',
    'padding: var(--x);',
    'gap: var(--e-space-8) 10px;',
    'scroll-margin-top: 72px;',
    '--button-padding-x-sm: 12px;',
    'transition: background-color 120ms;',
    'transition: opacity var(--e-time-press) ease-in;',
    'animation: turn .5s linear infinite;',
    'color: #17211b;',
    '--e-size-odd: 14px; font-size: var(--e-size-odd);',
    '--e-space-9: var(--e-space-8);',
    '--odd: 14px;',
    '--odd-2: calc(var(--e-space-8) + 3px);',
    '--Odd: 0.9em;',
    '--quick: 120ms;',
    'color: rgb(0 0 0 / 50%);',
  ];
  for (const style of styles)
    it(`refuses ${style}`, () => {
      assert.equal(faultsOf([{ path: 'web/a.module.css', text: `.a {\n  ${style}\n}\n` }]).length, 1);
      assert.equal(
        faultsOf([{ path: 'web/a.module.css', text: `.a {\n  &:hover { ${style} }\n}\n` }]).length,
        1,
      );
    });
  it('refuses a token registered elsewhere, and a value without a semicolon', () => {
    for (const text of ['@property --e-odd {\n  inherits: true;\n}\n', '.a { font-size: 14px }'])
      assert.equal(faultsOf([{ path: 'web/a.module.css', text }]).length, 1);
  });
  it('refuses a width in a media query', () => {
    const text = '@media (max-width: 767px) {\n  .a {\n    color: red;\n  }\n}\n';
    assert.equal(faultsOf([{ path: 'web/a.module.css', text }]).length, 1);
  });
  const scripts = [
    '<Text fz={14} />',
    '<Text fw="560" />',
    '<Button mt={12} />',
    '<Card radius={10} />',
    '<i style={{ marginTop: 8 }} />',
    "const style = { padding: '12px' };",
    "useMediaQuery('(max-width: 47.99em)');",
    'const props = { transitionProps: { duration: 200 } };',
    "const green = '#0F4D37';",
    "<i style={{ '--e-size-odd': size }} />",
    "element.style.setProperty('--e-size-odd', size);",
  ];
  for (const script of scripts)
    it(`refuses ${script}`, () => assert.equal(faultsOf([{ path: 'web/a.tsx', text: script }]).length, 1));
  it('allows an element’s own measures', () => {
    const text =
      '.a {\n  width: 40px;\n  border: 1px solid;\n  padding: 1px 0;\n  margin: calc(-1 * var(--e-space-8));\n}\n';
    assert.deepEqual(faultsOf([{ path: 'web/a.module.css', text }]), []);
  });
});
