import type { TFunction } from 'i18next';
import {
  type Check,
  type CheckResult,
  REVERSALS_MAX,
  SHARERS_MAX,
  type WithdrawalBackground,
} from '#contract/withdrawals-background.ts';
import { formatAmount, formatDay, formatSigned, formatTime, shortenMiddle } from '#web/client/format.ts';

/** What a check found, in words: the title, why, and a figure at its end. */
export type CheckWords = { title: string; reasons: string[]; figure?: string };

type Writer = { background: WithdrawalBackground; t: TFunction; language: string };

/** How many there are of what is counted up to a bound: `3`, `20+`. The number itself chooses the plural. */
export const upTo = (count: number, most: number): string => (count >= most ? `${most}+` : String(count));

const capReasons = ({ background: { facts }, t }: Writer): string[] =>
  (['memberDay', 'methodDay'] as const).flatMap((name) => {
    const cap = facts[name];
    if (cap === null) return [];
    const sums = { used: formatAmount(cap.usedPoints), cap: formatAmount(cap.points) };
    return [t(`queue.background.caps.${name}`, sums)];
  });

function suspensionReasons({ background: { member }, t, language }: Writer): string[] {
  return member.suspensions.map(({ reason, expiresAt }) =>
    expiresAt === null
      ? `${reason} (${t('queue.background.untilLifted')})`
      : `${reason} (${t('queue.background.until', { time: formatTime(expiresAt, language) })})`,
  );
}

function destinationReasons({ background: { destination }, t, language }: Writer): string[] {
  const { firstUsedAt, former } = destination;
  const first =
    firstUsedAt && t('queue.background.destination.firstUsed', { day: formatDay(firstUsedAt, language) });
  const last =
    former && t('queue.background.destination.former', { day: formatDay(former.paidAt, language) });
  return [
    ...(first === null ? [] : [first]),
    ...(last === null || former === null ? [] : [`${last} ${shortenMiddle(former.destination)}`]),
  ];
}

const reversalReasons = ({ background: { facts }, t }: Writer): string[] =>
  facts.reversalCount === 0
    ? []
    : [
        facts.lastReversals
          .map(
            ({ providerName, reasonClass }) =>
              `${providerName}: ${t(`queue.background.reasonClasses.${reasonClass}`)}`,
          )
          .join('; '),
      ];

function holdReasons({ background: { facts }, t, language }: Writer): string[] {
  if (facts.hold === null) return [];
  const time = formatTime(facts.hold.until, language);
  return [t(`queue.background.holds.${facts.hold.reason}`, { time })];
}

/** Why a check has its verdict, where facts say it. The others have one sentence. */
const reasonsOf: Partial<Record<Check, (writer: Writer) => string[]>> = {
  suspension: suspensionReasons,
  debt: ({ background: { member }, t }) => [
    t('queue.background.failed.debt', { balance: `${formatSigned(member.balance)}\u00a0P` }),
  ],
  caps: capReasons,
  hold: holdReasons,
  reversals: reversalReasons,
  destination: destinationReasons,
  sharing: ({ background: { facts }, t }) => [
    t('queue.background.failed.sharing', {
      count: facts.destinationSharerCount,
      shown: upTo(facts.destinationSharerCount, SHARERS_MAX),
    }),
  ],
  devices: ({ background: { facts }, t }) => [
    t('queue.background.failed.devices', {
      count: facts.deviceSharerCount,
      shown: upTo(facts.deviceSharerCount, SHARERS_MAX),
    }),
  ],
};

/** A figure at the end of a check. */
function figureText({ code, figure }: CheckResult, { t, language }: Writer): string | undefined {
  if (figure === null) return undefined;
  if (figure.kind === 'time') return formatDay(figure.value, language);
  if (code === 'caps') return t('queue.background.caps.left', { amount: formatAmount(figure.value) });
  if (figure.kind === 'points') return `${formatSigned(figure.value)}\u00a0P`;
  const count = Number(figure.value);
  return code === 'devices' ? t('queue.background.person.deviceCount', { count }) : String(count);
}

function failedWords(result: CheckResult, writer: Writer): Omit<CheckWords, 'figure'> {
  const { code, flag } = result;
  const { t, background } = writer;
  const reasons = reasonsOf[code]?.(writer) ?? [
    t(`queue.background.failed.${code}` as 'queue.background.failed.owner'),
  ];
  if (code !== 'reversals') return { title: t(`queue.flags.${flag ?? 'in-check'}`), reasons };
  const count = upTo(background.facts.reversalCount, REVERSALS_MAX);
  return { title: t('queue.background.failed.reversals', { count }), reasons };
}

/** A check that failed says in its reasons what its figure counts, and a hold until when it lasts. */
const silent: readonly Check[] = ['sharing', 'devices', 'hold', 'debt'];

export function checkWordsOf(result: CheckResult, writer: Writer): CheckWords {
  const { code, verdict } = result;
  const isPassed = verdict === 'pass';
  const words = isPassed
    ? {
        title: writer.t(`queue.background.passed.${code}`),
        reasons: code === 'caps' ? capReasons(writer) : [],
      }
    : failedWords(result, writer);
  const figure = isPassed || !silent.includes(code) ? figureText(result, writer) : undefined;
  return { ...words, ...(figure !== undefined && { figure }) };
}
