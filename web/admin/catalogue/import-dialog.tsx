import { Button, FileButton, Loader } from '@mantine/core';
import { IconCircleCheck, IconFileTypeCsv } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IMPORT_ROWS_MAX, type ImportResult } from '#contract/earning-catalogue-entries.ts';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { formatPoints } from '#web/client/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './catalogue.module.css';
import { faultOfLine } from './line-faults.ts';
import { useFaultText } from './use-fault-text.ts';
import { useImport } from './use-import.ts';

type ImportDialogProps = { isOpen: boolean; onClose: () => void };

/** Imports a file: first it is checked and every wrong line is named, then all of it is imported or nothing. */
export function ImportDialog({ isOpen, onClose }: ImportDialogProps) {
  const { t } = useTranslation();
  const importing = useImport(onClose);
  const close = () => {
    importing.forget();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t('catalogueEntries.import.title')}
      width={600}
      isLocked={importing.state === 'importing'}
      text={<p>{t('catalogueEntries.import.text', { max: formatPoints(IMPORT_ROWS_MAX) })}</p>}
    >
      {isOpen && <ImportBody importing={importing} onClose={close} />}
    </Dialog>
  );
}

type BodyProps = { importing: ReturnType<typeof useImport>; onClose: () => void };

function ImportBody({ importing, onClose }: BodyProps) {
  const { t } = useTranslation();
  const { file, state, result, failure, choose, run } = importing;
  const isBusy = state !== 'ready';
  const canRun = result !== null && result.errors.length === 0 && result.rows > 0;
  return (
    <>
      <div className={styles.file}>
        <FileButton accept=".csv,text/csv" onChange={(chosen) => void choose(chosen)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={isBusy}
              leftSection={<IconFileTypeCsv size={18} stroke={1.75} aria-hidden="true" />}
            >
              {t(file === null ? 'catalogueEntries.import.choose' : 'catalogueEntries.import.chooseOther')}
            </Button>
          )}
        </FileButton>
        {file !== null && <p className={styles.fileName}>{file.name}</p>}
      </div>
      <div role="status" className={styles.progress}>
        {isBusy && (
          <>
            <Loader size={18} aria-hidden="true" />
            {t(`catalogueEntries.import.${state}`, { name: file?.name ?? '' })}
          </>
        )}
        {!isBusy && result !== null && <ResultLine result={result} />}
      </div>
      {!isBusy && result !== null && <Result result={result} />}
      <FailureLine text={failure} className={styles.failure} />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={state === 'importing'}>
          {t('common.cancel')}
        </Button>
        <Button disabled={!canRun || state === 'checking'} loading={state === 'importing'} onClick={run}>
          {result === null
            ? t('catalogueEntries.import.submitNone')
            : t('catalogueEntries.import.submit', { count: result.rows, shown: formatPoints(result.rows) })}
        </Button>
      </div>
    </>
  );
}

/** What was found, in a sentence. */
function ResultLine({ result: { rows, errors } }: { result: ImportResult }) {
  const { t } = useTranslation();
  if (rows === 0 && errors.length === 0) return t('catalogueEntries.import.empty');
  if (errors.length > 0)
    return t('catalogueEntries.import.wrong', { count: errors.length, shown: formatPoints(errors.length) });
  return (
    <>
      <IconCircleCheck size={18} stroke={1.75} className={styles.right} aria-hidden="true" />
      {t('catalogueEntries.import.fits')}
    </>
  );
}

/** A file of 10,000 wrong lines would make the dialog slow. */
const ERRORS_SHOWN = 200;

/** What a checked file would do, or each line that is wrong. */
function Result({ result: { rows, added, changed, errors } }: { result: ImportResult }) {
  const { t } = useTranslation();
  const faultText = useFaultText();
  const shown = errors.slice(0, ERRORS_SHOWN);
  return (
    <>
      <FactList>
        <Fact label={t('catalogueEntries.import.rows')}>{formatPoints(rows)}</Fact>
        {errors.length > 0 ? (
          <Fact label={t('catalogueEntries.import.errors')}>
            <b className={styles.bad}>{formatPoints(errors.length)}</b>
          </Fact>
        ) : (
          <>
            <Fact label={t('catalogueEntries.import.added')}>{formatPoints(added)}</Fact>
            <Fact label={t('catalogueEntries.import.changed')}>{formatPoints(changed)}</Fact>
          </>
        )}
      </FactList>
      {errors.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it only if it can have the focus.
        <section className={styles.errors} aria-label={t('catalogueEntries.import.errorsLabel')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('catalogueEntries.import.line')}</th>
                <th>{t('catalogueEntries.import.fault')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ line, message }) => {
                const fault = faultOfLine(message);
                return (
                  <tr key={`${line} ${message}`}>
                    <td className="num">{formatPoints(line)}</td>
                    <td>
                      {fault.field !== undefined && <b>{fault.field}: </b>}
                      {fault.step !== undefined &&
                        `${t('catalogueEntries.steps.title', { number: fault.step })}, `}
                      {faultText(fault)}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {errors.length > shown.length && (
            <p className={styles.help}>
              {t('catalogueEntries.import.more', { shown: formatPoints(errors.length - shown.length) })}
            </p>
          )}
        </section>
      )}
    </>
  );
}
