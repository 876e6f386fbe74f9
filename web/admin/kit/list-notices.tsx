import { useDisclosure } from '@mantine/hooks';
import { type Icon, IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './list-notices.module.css';

/** What an operator must know of a list. */
export type ListNotice = {
  key: string;
  title: string;
  /** Who, when and why, beside the title in the line. */
  note?: string;
  icon?: Icon;
  /** `close` closes the dialog, for an act with a dialog of its own. */
  content: (close: () => void) => ReactNode;
};

/**
 * The notices of a list in one line, with their count. They open in a dialog. Nothing moves when a poll brings one: the
 * line has its place beside the title also while there are none, and on a phone it stands at the foot, over the rows.
 */
export function ListNotices({ notices }: { notices: readonly ListNotice[] }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [first] = notices;
  const count = notices.length;
  return (
    <>
      <div role="status" className={styles.place}>
        {first !== undefined && (
          <button type="button" className={styles.button} onClick={open}>
            <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            <span className={styles.first}>
              <span>{first.title}</span>
              {first.note !== undefined && (
                <>
                  {' '}
                  <span className={styles.note}>{first.note}</span>
                </>
              )}
            </span>
            <b className="num">{count}</b>
          </button>
        )}
      </div>
      <Dialog
        isOpen={isOpen && count > 0}
        onClose={close}
        title={t('list.notices.title')}
        width={560}
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
    </>
  );
}
