import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNoticesOpener } from '#web/admin/kit/notices-opener.ts';
import { readSentences } from '#web/admin/kit/read-sentences.ts';
import { useRestoreState } from '#web/admin/kit/restore-steps.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';

/** The sentences of points that are held until a payment which a restore left is looked at. */
const holds = ['points-possibly-paid', 'member-possibly-paid', 'other-methods-wait'] as const;
type Hold = (typeof holds)[number];

const hasHold = (text: string, of: readonly Hold[] = holds): boolean =>
  readSentences(text).some(
    (part) => part.kind === 'sentence' && (of as readonly string[]).includes(part.name),
  );

/** Whether a text of the server says that points may be paid already, because of a restore. */
export const saysPointsHeld = (text: string): boolean => hasHold(text);

/** Its payments are in the list below the sentence. */
const listedBelow = ['possible-payments'] as const;
const saidHere = ['points-possibly-paid'] as const;

/**
 * What the server says against a payment. Of points that are held it says what they wait for; the command that the
 * server names would only list that, so a button opens it here.
 */
export function TroubleSentence({ text, isListed = false }: { text: string; isListed?: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {hasHold(text, saidHere) && `${t('queue.sheet.pointsHeld')} `}
      <ServerSentence text={text} leftOut={[...saidHere, ...(isListed ? listedBelow : [])]} />
    </>
  );
}

/** The way to what a restore left, where points wait for that. */
export function RestoreOpener({ text }: { text: string }) {
  const { t } = useTranslation();
  const open = useNoticesOpener();
  const isRead = useRestoreState() !== undefined;
  if (open === undefined || !isRead || !saysPointsHeld(text)) return null;
  return (
    <Button variant="default" size="sm" mt="xs" onClick={open}>
      {t('queue.sheet.restoreLeft')}
    </Button>
  );
}
