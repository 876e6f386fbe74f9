import { ActionIcon, Button, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconArrowRight, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { formatTime } from '#web/client/format.ts';
import { below } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { RequestFacts } from './request-facts.tsx';
import styles from './request-sheet.module.css';
import { useDecision } from './use-decision.ts';
import { type Queue, ROWS_PER_PAGE, useRequest } from './use-queue.ts';

type RequestSheetProps = {
  queue: Queue;
  id: string;
  /** Whether the sheet stands beside the table, or lies over it. */
  isBeside: boolean;
  /** Where the request is in the list, from 0; -1 once it has left it. */
  index: number;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
};

/** One request with what is needed to decide it, and the decision at its foot. */
export function RequestSheet(props: RequestSheetProps) {
  const { t } = useTranslation();
  const { isBeside, onClose } = props;
  const isPhone = useMediaQuery(below('tablet')) ?? false;
  if (isBeside) {
    return (
      <aside className={styles.sheet} aria-label={t('queue.sheet.title')}>
        <SheetBody {...props} />
      </aside>
    );
  }
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={isPhone ? '100%' : 432}>
      <Drawer.Overlay />
      <Drawer.Content classNames={classNames} data-sheet aria-label={t('queue.sheet.title')}>
        <SheetBody {...props} />
      </Drawer.Content>
    </Drawer.Root>
  );
}

const classNames = { content: styles.over ?? '' };

function SheetBody({ queue, id, index, onMove, onClose }: RequestSheetProps) {
  const { t } = useTranslation();
  const request = useRequest(id);
  const row = request.data?.withdrawals[0] ?? queue.rows.find((one) => one.id === id);
  const total = queue.list.data?.pagination.totalCount;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const first = (queue.page - 1) * ROWS_PER_PAGE;

  return (
    <>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {t('queue.sheet.title')}{' '}
          {index !== -1 && total !== undefined && (
            <span className="num dimmer">
              {t('queue.sheet.position', { index: first + index + 1, total })}
            </span>
          )}
        </h2>
        <ActionIcon onClick={() => onMove(-1)} disabled={index <= 0} aria-label={t('queue.sheet.previous')}>
          <IconArrowLeft size={20} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          onClick={() => onMove(1)}
          disabled={index === queue.rows.length - 1}
          aria-label={t('queue.sheet.next')}
        >
          <IconArrowRight size={20} stroke={1.75} />
        </ActionIcon>
        <ActionIcon onClick={onClose} aria-label={t('common.close')}>
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={styles.facts}>
        {row !== undefined && <RequestFacts row={row} onSynced={() => void queue.refresh()} />}
        {row === undefined && request.isPending && <SkeletonRows count={3} />}
        {row === undefined && !request.isPending && <p className="dim">{t('queue.sheet.gone')}</p>}
      </div>
      {row !== undefined && <Foot key={row.id} row={row} queue={queue} index={index} onClose={onClose} />}
    </>
  );
}

type FootProps = { row: OperatorWithdrawal; queue: Queue; index: number; onClose: () => void };

/** What the buttons do, and that it is final; or who decided, and the way to the next one. */
function Foot({ row, queue, index, onClose }: FootProps) {
  const { t, i18n } = useTranslation();
  const [isRejecting, setRejecting] = useState(false);
  const [next, setNext] = useState<string | null>(null);
  // Decided while the sheet was open, and not from here: then somebody else was first.
  const [wasWaiting] = useState(row.status === 'pending');
  const waiting = queue.rows.filter((one, at) => one.status === 'pending' && at !== index);
  const following = waiting.find((one) => queue.rows.indexOf(one) > index) ?? waiting[0];
  const goNext = () => {
    if (following === undefined) onClose();
    else queue.open(following.id);
  };
  const { approve, reject, isPending, failure, decidedHere } = useDecision(row, async () => {
    await queue.refresh();
  });

  // After the decision the sheet goes on by itself; the list may have changed meanwhile, so the next one was kept.
  useEffect(() => {
    if (next === null || !decidedHere) return;
    if (next === '') onClose();
    else queue.open(next);
  }, [next, decidedHere, queue, onClose]);

  if (row.status !== 'pending') {
    const words = wasWaiting && !decidedHere ? 'byOther' : 'plain';
    const when = { time: formatTime(row.processedAt ?? row.createdAt, i18n.language) };
    return (
      <SheetFoot fine={t(`queue.sheet.${words}.${row.status}`, when)}>
        <Button variant="default" fullWidth onClick={goNext}>
          {following === undefined ? t('common.close') : t('queue.sheet.goNext')}
        </Button>
      </SheetFoot>
    );
  }
  return (
    <SheetFoot fine={t('queue.sheet.fine')} failure={failure}>
      <Button variant="default" onClick={() => setRejecting(true)} disabled={isPending}>
        {t('queue.sheet.reject')}
      </Button>
      <Button
        variant="money"
        className={styles.approve}
        loading={isPending}
        onClick={() => {
          setNext(following?.id ?? '');
          approve();
        }}
      >
        {t(following === undefined ? 'queue.sheet.approveOnly' : 'queue.sheet.approve')}
      </Button>
      <RejectDialog
        row={isRejecting ? row : null}
        isPending={isPending}
        failure={failure}
        onReject={(reason) => {
          setNext(following?.id ?? '');
          reject(reason);
        }}
        onClose={() => setRejecting(false)}
      />
    </SheetFoot>
  );
}

function SheetFoot({
  fine,
  failure,
  children,
}: {
  fine: string;
  failure?: string | null;
  children: ReactNode;
}) {
  return (
    <div className={styles.foot}>
      {failure ? (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      ) : (
        <p className={styles.fine}>{fine}</p>
      )}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
