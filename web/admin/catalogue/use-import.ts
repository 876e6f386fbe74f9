import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IMPORT_BYTES_MAX, type ImportResult, importEntries } from '#contract/earning-catalogue-entries.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { formatPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const MIB = 1024 * 1024;

/** Whether a text fits into the call, in which a quotation mark takes two bytes. */
const fits = (csv: string): boolean => new Blob([JSON.stringify({ csv })]).size <= IMPORT_BYTES_MAX;

type Chosen = { name: string; csv: string };

/** The text of a file; undefined if it is not in UTF-8. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Checks a chosen file by a dry run, and imports it. What another operator did meanwhile is checked again then. */
export function useImport(onDone: () => void) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const checking = useAct(importEntries);
  const running = useAct(importEntries);
  const [file, setFile] = useState<Chosen | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** The result of a file that was chosen before counts no more. */
  const current = useRef(0);

  const forget = () => {
    current.current += 1;
    setFile(null);
    setResult(null);
    setFailure(null);
  };
  const check = (csv: string) => {
    const turn = current.current;
    checking.mutate(
      { query: { dryRun: 'true' }, body: { csv } },
      {
        onSuccess: (found) => turn === current.current && setResult(found),
        onError: ({ code }) =>
          turn === current.current &&
          setFailure(`${t('catalogueEntries.import.notChecked')}. ${refusalWords(code)}`),
      },
    );
  };
  const choose = async (chosen: File | null) => {
    if (chosen === null) return;
    forget();
    setFile({ name: chosen.name, csv: '' });
    const tooLarge = t('catalogueEntries.import.tooLarge', { max: IMPORT_BYTES_MAX / MIB });
    if (chosen.size > IMPORT_BYTES_MAX) return setFailure(tooLarge);
    const csv = await textOf(chosen);
    if (csv !== undefined && !fits(csv)) return setFailure(tooLarge);
    if (csv === undefined) return setFailure(t('catalogueEntries.import.notUtf8'));
    setFile({ name: chosen.name, csv });
    check(csv);
  };
  const run = () => {
    if (file === null || running.isPending) return;
    setFailure(null);
    running.mutate(
      { query: {}, body: { csv: file.csv } },
      {
        onSuccess: ({ added, changed }) => {
          toast.ok(
            t('catalogueEntries.import.done', {
              added: formatPoints(added),
              changed: formatPoints(changed),
            }),
          );
          forget();
          onDone();
        },
        onError: ({ code }) => {
          setFailure(`${t('catalogueEntries.import.failed')}. ${refusalWords(code)}`);
          // The catalogue may have changed since the file was checked: its lines are named again.
          if (code === 'invalid-request') check(file.csv);
        },
      },
    );
  };
  const state = running.isPending ? 'importing' : checking.isPending ? 'checking' : 'ready';
  return { file, state, result, failure, choose, run, forget } as const;
}
