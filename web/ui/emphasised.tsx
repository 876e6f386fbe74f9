import type { ReactNode } from 'react';

/** Stands in a text where the emphasised part comes. No text has it. */
export const EMPHASIS = '\u{F0000}';

/** A text with one part that somebody wrote, emphasised and with its own direction. */
export function Emphasised({ text, part }: { text: string; part: string }): ReactNode {
  const [before = '', after = ''] = text.split(EMPHASIS);
  return (
    <>
      {before}
      <bdi>
        <b>{part}</b>
      </bdi>
      {after}
    </>
  );
}
