import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type OperatorAnnouncement, readAnnouncementList } from '#contract/announcements.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatTime } from '#web/client/format.ts';
import { AnnouncementSheet } from './announcement-sheet.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import { titleIn, useTermsText } from './titles.ts';

/** What operators announce to all members: written, scheduled and deleted here. */

const POLL_MS = 30_000;

export function AnnouncementsPage() {
  const { t, i18n } = useTranslation();
  const [isWriting, setWriting] = useState(false);
  const noteOf = ({ state, createdAt }: OperatorAnnouncement) =>
    t(`announcementList.notes.${state === 'scheduled' ? 'scheduled' : 'public'}`, {
      time: formatTime(createdAt, i18n.language),
    });
  const screen: ListScreen<OperatorAnnouncement> = {
    state: useOperatorList<OperatorAnnouncement>(readAnnouncementList, { pollMs: POLL_MS }),
    ...useListWords(readAnnouncementList, 'announcementList', {}),
    lead: {
      heading: t('announcementList.columns.announcement'),
      title: (row) => titleIn(row, i18n.language),
      note: noteOf,
    },
    columns: useColumns(),
    card: (row) => ({
      note: noteOf(row),
      isNoteWhole: true,
      badge: <StateBadge state={row.state} />,
    }),
    isWaiting: () => false,
    begin: { label: t('announcementList.begin'), act: () => setWriting(true) },
    sheet: (row, position) => <AnnouncementSheet key={row.id} row={row} onClose={position.close} />,
  };
  return (
    <>
      <OperatorList screen={screen} />
      <PublishDialog isOpen={isWriting} onClose={() => setWriting(false)} />
    </>
  );
}

function useColumns(): Column<OperatorAnnouncement, SortOf<typeof readAnnouncementList>>[] {
  const { t, i18n } = useTranslation();
  const termsText = useTermsText();
  return [
    {
      key: 'state',
      heading: t('announcementList.columns.state'),
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      key: 'languages',
      heading: t('announcementList.columns.languages'),
      cell: ({ titleKo, contentKo }) =>
        t(`announcementList.languages.${titleKo !== null && contentKo !== null ? 'both' : 'english'}`),
      defaultVisibility: 'medium',
    },
    {
      key: 'terms',
      heading: t('announcementList.columns.terms'),
      cell: termsText,
      defaultVisibility: 'wide',
    },
    {
      key: 'public',
      heading: t('announcementList.columns.public'),
      cell: ({ createdAt }) => formatTime(createdAt, i18n.language),
      sort: 'createdAt',
      isFigure: true,
      // The line below the title says it.
      defaultVisibility: 'hidden',
    },
  ];
}
