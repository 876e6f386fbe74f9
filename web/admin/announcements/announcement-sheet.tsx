import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorAnnouncement } from '#contract/announcements.ts';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { formatTime } from '#web/client/format.ts';
import styles from './announcements.module.css';
import { DeleteDialog } from './delete-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import { titleIn, useTermsText } from './titles.ts';

/** One announcement: its texts in both languages, when it is public, and at the foot its deletion. */
export function AnnouncementSheet({ row, onClose }: { row: OperatorAnnouncement; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const termsText = useTermsText();
  const [isDeleting, setDeleting] = useState(false);
  const { state, createdAt, adminEmail } = row;
  return (
    <>
      <SheetFacts>
        <StateBadge state={state} />
        <h3 className={styles.language}>{t('announcementList.sheet.english')}</h3>
        <div lang="en">
          <p className={styles.wholeTitle}>{row.title}</p>
          <p className={styles.text}>{row.content}</p>
        </div>
        <h3 className={styles.language}>{t('announcementList.sheet.korean')}</h3>
        {row.titleKo === null && row.contentKo === null ? (
          <p className="dim">{t('announcementList.sheet.noKorean')}</p>
        ) : (
          <div lang="ko">
            <p className={styles.wholeTitle}>{row.titleKo ?? row.title}</p>
            <p className={styles.text}>{row.contentKo ?? row.content}</p>
          </div>
        )}
        <div className={styles.facts}>
          <FactList>
            <Fact label={t(`announcementList.sheet.${state === 'scheduled' ? 'goesOut' : 'publicSince'}`)}>
              {formatTime(createdAt, i18n.language)}
            </Fact>
            {row.effectiveOn !== null && (
              <Fact label={t('announcementList.sheet.terms')}>{termsText(row)}</Fact>
            )}
            <Fact label={t('announcementList.sheet.by')}>
              {adminEmail ?? t('announcementList.sheet.unknown')}
            </Fact>
          </FactList>
        </div>
      </SheetFacts>
      <SheetFoot fine={t('announcementList.sheet.fine')}>
        <Button variant="default" onClick={() => setDeleting(true)}>
          {t('announcementList.sheet.delete')}
        </Button>
      </SheetFoot>
      <DeleteDialog
        row={row}
        title={titleIn(row, i18n.language)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={onClose}
      />
    </>
  );
}
