import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readTimeline } from '#contract/members-accounts.ts';
import { type TimelineLine, type TimelinePart, timelineParts } from '#contract/timeline.ts';
import { ScreenLink } from '#web/admin/kit/screen-link.tsx';
import { type ApiError, call, requestIdOf } from '#web/client/call.ts';
import { dayKeyOf, formatClock, formatDayOfWeek, formatSigned, toPoints } from '#web/client/format.ts';
import { keyOf } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { balanceText } from './balance-text.ts';
import styles from './timeline.module.css';
import { iconOf } from './timeline-icons.ts';
import { useLineWords } from './use-line-words.ts';

/** Everything that happened to a member, newest first, by day, with the balance after each movement. */

const POLL_MS = 30_000;

function useTimeline(memberId: string, part: TimelinePart | null) {
  return useInfiniteQuery<
    TimelineLine[],
    ApiError,
    { pages: TimelineLine[][] },
    readonly unknown[],
    string | null
  >({
    queryKey: keyOf(readTimeline, { memberId, part }),
    queryFn: ({ pageParam, signal }) =>
      call(readTimeline, {
        params: { id: memberId },
        query: { ...(part !== null && { part }), ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: (page) => page.at(-1)?.next ?? undefined,
    refetchInterval: POLL_MS,
  });
}

type TimelineProps = {
  memberId: string;
  /** The only part; without it the parts can be chosen. */
  part?: TimelinePart;
};

export function Timeline({ memberId, part: only }: TimelineProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<TimelinePart | null>(null);
  const part = only ?? chosen;
  const read = useTimeline(memberId, part);
  const lines = read.data?.pages.flat() ?? [];
  return (
    <section className={styles.timeline} aria-labelledby="timeline">
      <h2 id="timeline" className="visually-hidden">
        {t('member.timeline')}
      </h2>
      {only === undefined && <PartChips part={part} onChange={setChosen} />}
      {read.isPending && <SkeletonRows count={6} />}
      {read.isError && lines.length === 0 && (
        <ErrorState
          title={t('member.timelineFailed')}
          text={t(`refusals.${read.error.code}`)}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      )}
      {read.isSuccess && lines.length === 0 && (
        <EmptyState title={t('member.nothing.title')} text={t('member.nothing.text')} />
      )}
      <Days lines={lines} />
      {read.hasNextPage && (
        <Button
          variant="default"
          className={styles.more}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {t('member.older')}
        </Button>
      )}
    </section>
  );
}

type PartChipsProps = { part: TimelinePart | null; onChange: (part: TimelinePart | null) => void };

function PartChips({ part, onChange }: PartChipsProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll in one line.
    <div className={styles.chips} role="group" aria-label={t('member.show')}>
      {([null, ...timelineParts] as const).map((one) => (
        <button
          key={one ?? 'all'}
          type="button"
          className={styles.chip}
          aria-pressed={part === one}
          onClick={() => onChange(one)}
        >
          {t(`member.parts.${one ?? 'all'}`)}
        </button>
      ))}
    </div>
  );
}

function Days({ lines }: { lines: readonly TimelineLine[] }) {
  const { t, i18n } = useTranslation();
  const days = Map.groupBy(lines, ({ at }) => dayKeyOf(at));
  const hasSums = lines.some(({ amount }) => amount !== null);
  return [...days.entries()].map(([day, ofDay], index) => (
    <div key={day} className={styles.ofDay}>
      <h3 className={styles.day}>{formatDayOfWeek(ofDay[0]?.at ?? '', i18n.language)}</h3>
      {index === 0 && hasSums && (
        <p className={styles.sums} aria-hidden="true">
          <span>{t('member.amount')}</span>
          <span>{t('member.balance')}</span>
        </p>
      )}
      <ol>
        {ofDay.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ol>
    </div>
  ));
}

function Line({ line }: { line: TimelineLine }) {
  const { i18n } = useTranslation();
  const { title, detail } = useLineWords()(line);
  const { icon: Sign, tone } = iconOf(line.kind);
  const isCredit = line.amount !== null && toPoints(line.amount) > 0n;
  return (
    <li className={styles.line} data-tone={tone}>
      <time dateTime={line.at} className="num">
        {formatClock(line.at, i18n.language)}
      </time>
      <span className={styles.plate}>
        <Sign size={16} stroke={2} aria-hidden="true" />
      </span>
      <div className={styles.text}>
        <p>{line.link === null ? title : <ScreenLink to={line.link}>{title}</ScreenLink>}</p>
        {detail !== '' && <p className={styles.detail}>{detail}</p>}
      </div>
      {line.amount !== null && (
        <span className={`num ${styles.amount}`} data-credit={isCredit || undefined}>
          {formatSigned(line.amount)} P
        </span>
      )}
      {line.balanceAfter !== null && (
        <span className={`num ${styles.balance}`}>{balanceText(line.balanceAfter)}</span>
      )}
    </li>
  );
}
