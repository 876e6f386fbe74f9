import { ActionIcon, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconArrowRight, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { below } from '#web/ui/sizes.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import type { ListScreen } from './list-screen.ts';
import styles from './side-sheet.module.css';
import { ROWS_PER_PAGE, useRow } from './use-operator-list.ts';

type SideSheetProps<Row extends { id: string }> = {
  screen: ListScreen<Row>;
  id: string;
  /** Whether the sheet is beside the table or covers it. */
  isBeside: boolean;
  /** The row's index in the list from 0, or -1 if it has left the list. */
  index: number;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
};

/** The sheet of one row. The feature provides the facts and, at the foot, the decision. */
export function SideSheet<Row extends { id: string }>(props: SideSheetProps<Row>) {
  const { isBeside, onClose, screen } = props;
  return (
    <SheetFrame
      title={screen.words.sheet.title}
      isBeside={isBeside}
      isWide={screen.sheetWidth !== undefined}
      onClose={onClose}
    >
      <SheetBody {...props} />
    </SheetFrame>
  );
}

type SheetFrameProps = {
  title: string;
  isBeside: boolean;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A sheet beside the work, or over it where there is no room. Its content has a head with the way to close it. */
export function SheetFrame({ title, isBeside, isWide = false, onClose, children }: SheetFrameProps) {
  const isPhone = useMediaQuery(below('tablet')) ?? false;
  if (isBeside) {
    return (
      <aside className={styles.sheet} aria-label={title}>
        {children}
      </aside>
    );
  }
  return (
    // The list's keys close it. The drawer hears Escape also while a dialog is open over it.
    <Drawer.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size={isPhone ? '100%' : isWide ? 520 : 432}
    >
      <Drawer.Overlay />
      <Drawer.Content classNames={classNames} data-sheet aria-label={title}>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  );
}

const classNames = { content: styles.over ?? '' };

function SheetBody<Row extends { id: string }>({ screen, id, index, onMove, onClose }: SideSheetProps<Row>) {
  const { state, isWaiting, words } = screen;
  const { rows, read, page } = state;
  const found = useRow(state, id);
  const row = found.data ?? rows.find((one) => one.id === id);
  const waiting = rows.filter((one, at) => isWaiting(one) && at !== index);
  const following = waiting.find((one) => rows.indexOf(one) > index) ?? waiting[0];
  const place = { index: (page - 1) * ROWS_PER_PAGE + index + 1, total: read.data?.totalCount };
  return (
    <>
      <SheetHead
        words={words.sheet}
        place={index === -1 ? null : place}
        isFirst={index <= 0}
        isLast={index === rows.length - 1}
        onMove={onMove}
        onClose={onClose}
      />
      {row === undefined ? (
        <div className={styles.facts}>
          {found.isPending ? <SkeletonRows count={3} /> : <p className="dim">{words.sheet.gone}</p>}
        </div>
      ) : (
        screen.sheet(row, { index, following, open: state.open, close: onClose })
      )}
    </>
  );
}

type SheetHeadProps = {
  words: ListScreen<{ id: string }>['words']['sheet'];
  place: { index: number; total: number | undefined } | null;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
};

function SheetHead({ words, place, isFirst, isLast, onMove, onClose }: SheetHeadProps) {
  const { t } = useTranslation();
  const title = (
    <>
      {words.title}{' '}
      {place?.total !== undefined && (
        <span className="num dimmer">{t('list.position', { index: place.index, total: place.total })}</span>
      )}
    </>
  );
  return (
    <SheetTitle title={title} onClose={onClose}>
      <ActionIcon onClick={() => onMove(-1)} disabled={isFirst} aria-label={words.previous}>
        <IconArrowLeft size={20} stroke={1.75} />
      </ActionIcon>
      <ActionIcon onClick={() => onMove(1)} disabled={isLast} aria-label={words.next}>
        <IconArrowRight size={20} stroke={1.75} />
      </ActionIcon>
    </SheetTitle>
  );
}

type SheetTitleProps = { title: ReactNode; onClose: () => void; children?: ReactNode };

/** The head of a sheet. Its title takes the focus when the sheet opens. */
export function SheetTitle({ title, onClose, children }: SheetTitleProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.head}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <ActionIcon onClick={onClose} aria-label={t('common.close')}>
        <IconX size={20} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}
