/** The mail of an operator's message: its lines as they were written, and the way to the member's notices. */

type Given = { brand: string; site: string };

const linesOf = (text: string): string[] => text.split(/[\r\n]+/).filter((line) => line.trim() !== '');

export const messageTexts = {
  en: ({ text }: { text: string }, { brand, site }: Given) => ({
    subject: `A message from ${brand}`,
    lines: [...linesOf(text), `Your notices: ${site}/notices`],
  }),
  ko: ({ text }: { text: string }, { brand, site }: Given) => ({
    subject: `${brand}에서 보낸 메시지`,
    lines: [...linesOf(text), `알림: ${site}/notices`],
  }),
};
