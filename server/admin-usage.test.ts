import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runAdmin } from '../test/admin-command.ts';
import { commands } from './admin.ts';
import { formsOf, usage } from './admin-usage.ts';
import { readWords } from './admin-words.ts';

/** The words that the command line takes. */

/** Each command line that the usage offers: every form with and without each of its options. */
const offered = usage
  .split('\n')
  .flatMap((line) => /^ {2}(\S.*?)(?: {2,}|$)/.exec(line)?.[1]?.split(', ') ?? [])
  .flatMap((form) => {
    const [words = '', ...options] = form.split(/ \[(.*?)\]/).filter((part) => part !== '');
    return options.reduce((lines, option) => lines.flatMap((line) => [line, `${line} ${option}`]), [words]);
  })
  .map((line) => line.split(' '));

describe('the usage of admin', () => {
  it('offers every command with its options, and only what is taken', () => {
    const named = new Set<string>();
    for (const [name = '', ...args] of offered) {
      const command = commands[name];
      assert.ok(command, name);
      const words = readWords(name, command, args);
      assert.ok(typeof words === 'object', `${name} ${args.join(' ')}: ${words}`);
      for (const word of [...Object.keys(words.options), ...words.flags, '']) named.add(`${name} ${word}`);
    }
    const taken = Object.entries(commands).flatMap(([name, { options = {} }]) =>
      [...Object.keys(options), ''].map((word) => `${name} ${word}`),
    );
    assert.deepEqual([...named].sort(), taken.sort());
  });

  it('names every command in a form of its own for `help COMMAND`', () => {
    for (const name of Object.keys(commands))
      assert.match(formsOf(name), new RegExp(`^ {2}.*\\b${name}\\b`), name);
    assert.equal(formsOf('reconcile').match(/^ {2}\S/gm)?.length, 6);
    assert.equal(formsOf('reconcil'), '');
  });

  it('refuses an option that is given twice, so that none is dropped', () => {
    const form = { options: { trail: { type: 'string' } }, positionalsMax: 0 } as const;
    assert.equal(readWords('audit', form, ['--trail', '1:a', '--trail', '2:b']), 'audit takes --trail once.');
  });

  it('refuses options in its own words', () => {
    const options = { trail: { type: 'string' }, apply: { type: 'boolean' } } as const;
    const refusals: [string[], string][] = [
      [['--foo'], 'audit does not take --foo.'],
      [['-f'], 'audit does not take -f.'],
      [['--constructor'], 'audit does not take --constructor.'],
      [['--trail'], 'audit: --trail needs a value.'],
      [['--trail', '--apply'], 'audit: --trail needs a value.'],
      [['--apply=yes'], 'audit: --apply takes no value.'],
      [['--apply', '--apply'], 'audit takes --apply once.'],
    ];
    for (const [words, said] of refusals)
      assert.equal(readWords('audit', { options, positionalsMax: 0 }, words), said, words.join(' '));
    assert.deepEqual(readWords('audit', { options, positionalsMax: 1 }, ['--trail=-1:a', '--apply', 'x']), {
      options: { trail: '-1:a' },
      flags: new Set(['apply']),
      positionals: ['x'],
    });
  });
});

/** Without the environment of a site. */
const admin = (...words: string[]) => runAdmin({}, ...words);

describe('admin with words that it does not know', () => {
  it('exits with 2 and changes nothing', async () => {
    const extra = await admin('audit', 'extra');
    assert.deepEqual(extra, { code: 2, said: '', complained: 'audit does not take the word "extra".\n' });
    const bare = await admin();
    assert.deepEqual([bare.code, bare.said], [2, '']);
    assert.match(bare.complained, /^Usage: npm run admin -- COMMAND/);
    for (const name of ['nothing', 'constructor']) {
      const unknown = await admin(name);
      const complained = `There is no command ${name}. \`npm run admin -- help\` lists all.\n`;
      assert.deepEqual(unknown, { code: 2, said: '', complained });
    }
  });

  it('prints its usage when it is asked', async () => {
    const { code, said, complained } = await admin('--help');
    assert.deepEqual([code, complained], [0, '']);
    assert.match(said, /^Usage: npm run admin -- COMMAND/);
    const one = await admin('help', 'pause-payouts');
    assert.match(
      one.said,
      /^ {2}pause REASON, pause-payouts REASON\n +pause all payouts of the site; [^\n]+\n$/,
    );
  });
});
