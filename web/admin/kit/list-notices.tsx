import { type Icon, IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './list-notices.module.css';

/** What an operator must know of a list. */
export type ListNotice = {
  key: string;
  title: string;
  /** Who, when and why, beside the title in the line while it is the only notice. */
  note?: string;
  icon?: Icon;
  /** `close` closes the dialog, for an act with a dialog of its own. */
  content: (close: () => void) => ReactNode;
};

export type ListNoticesProps = {
  notices: readonly ListNotice[];
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
};

/**
 * The notices of a list in one line, with the title of each, in the list's order. They open in a dialog. Nothing moves
 * when a poll brings one: the line has its place beside the title also while there are none, and on a phone it stands
 * at the foot, over the rows.
 */
export function ListNotices({ notices, isOpen, onOpen: open, onClose: close }: ListNoticesProps) {
  const { t } = useTranslation();
  // Of two dialogs the one that was mounted later is above: this one can be opened from a sheet over the list.
  const [isMounted, setMounted] = useState(isOpen);
  if (isOpen && !isMounted) setMounted(true);
  const [first] = notices;
  const count = notices.length;
  return (
    <>
      <div role="status" className={styles.place}>
        {first !== undefined && (
          <button type="button" className={styles.button} onClick={open}>
            <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            <span className={styles.titles}>
              <span>{notices.map(({ title }) => title).join(' · ')}</span>
              {count === 1 && first.note !== undefined && (
                <>
                  {' '}
                  <span className={styles.note}>{first.note}</span>
                </>
              )}
            </span>
          </button>
        )}
      </div>
      {isMounted && (
        <Dialog
          isOpen={isOpen && count > 0}
          onClose={close}
          onClosed={() => setMounted(false)}
          title={t('list.notices.title')}
          width={720}
          text={
            <div className={styles.notices}>
              {notices.map(({ key, title, icon: Sign = IconAlertTriangle, content }) => (
                <section key={key} aria-label={title}>
                  <h3>
                    <Sign size={20} stroke={1.75} aria-hidden="true" />
                    {title}
                  </h3>
                  {content(close)}
                </section>
              ))}
            </div>
          }
        >
          {null}
        </Dialog>
      )}
    </>
  );
}
