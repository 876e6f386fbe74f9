import type { TFunction } from 'i18next';
import {
  type Check,
  REVERSALS_MAX,
  SHARERS_MAX,
  type WithdrawalBackground,
} from '#contract/withdrawals-background.ts';
import { formatAmount, formatDay, formatSigned, formatTime, shortenMiddle } from '#web/client/format.ts';

/** What a check found, in words: the title, why, and a figure at its end. */
export type CheckWords = { title: string; reasons: string[]; figure?: string };

type Writer = { background: WithdrawalBackground; t: TFunction; language: string };
type CheckResult = WithdrawalBackground['checks'][number];

/** How many there are of what is counted up to a bound: `3`, `20+`. The number itself chooses the plural. */
const upTo = (count: number, most: number): string => (count >= most ? `${most}+` : String(count));

const capReasons = ({ background: { facts }, t }: Writer): string[] =>
  (['memberDay', 'methodDay'] as const).flatMap((name) => {
    const cap = facts[name];
    if (cap === null) return [];
    const sums = { used: formatAmount(cap.usedPoints), cap: formatAmount(cap.points) };
    return [t(`queue.background.caps.${name}`, sums)];
  });

function suspensionReasons({ background: { person }, t, language }: Writer): string[] {
  return person.suspensions.map(({ reason, expiresAt }) =>
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
  debt: ({ background: { person }, t }) => [
    t('queue.background.failed.debt', { balance: `${formatSigned(person.balance)}\u00a0P` }),
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

function failedWords({ check, flag }: CheckResult, writer: Writer): CheckWords {
  const { t, background } = writer;
  const { facts } = background;
  const reasons = reasonsOf[check]?.(writer) ?? [
    t(`queue.background.failed.${check}` as 'queue.background.failed.owner'),
  ];
  if (check !== 'reversals') return { title: t(`queue.flags.${flag ?? 'in-check'}`), reasons };
  return {
    title: t('queue.background.failed.reversals', { count: upTo(facts.reversalCount, REVERSALS_MAX) }),
    reasons,
    figure: `${formatSigned(`-${facts.reversedPoints}`)}\u00a0P`,
  };
}

export function checkWordsOf(result: CheckResult, writer: Writer): CheckWords {
  if (result.verdict !== 'passed') return failedWords(result, writer);
  const { check } = result;
  const { t, background, language } = writer;
  const { person, destination } = background;
  const title = t(`queue.background.passed.${check}`);
  if (check === 'caps') return { title, reasons: capReasons(writer) };
  if (check === 'devices')
    return {
      title,
      reasons: [],
      figure: t('queue.background.person.deviceCount', { count: person.deviceCount }),
    };
  if (check === 'destination' && destination.paidAt !== null)
    return { title, reasons: [], figure: formatDay(destination.paidAt, language) };
  return { title, reasons: [] };
}
