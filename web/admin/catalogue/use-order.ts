import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CatalogueEntry, type EntryMove, moveEntry } from '#contract/earning-catalogue-entries.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { RowOrder } from '#web/admin/kit/use-row-drag.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** The order of the entries of a kind, and what a screen reader hears of a move. */
export function useOrder(isOrdered: boolean) {
  const { t, i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  const { mutate } = useAct(moveEntry);
  const [moves, setMoves] = useState({ text: '', count: 0 });
  const move = (row: CatalogueEntry, body: EntryMove) =>
    mutate(
      { params: { id: row.id }, body },
      {
        onSuccess: () => {
          const title = (i18n.language === 'ko' ? row.titleKo : null) ?? row.title;
          const text = t(`catalogueEntries.order.moved.${body.to}`, { title });
          setMoves(({ count }) => ({ text, count: count + 1 }));
        },
        onError: ({ code }) => toast.bad(refusalWords(code), t('catalogueEntries.order.failed')),
      },
    );
  const order: RowOrder<CatalogueEntry> = {
    move: (row, to) => move(row, typeof to === 'string' ? { to } : { to: to.side, other: to.id }),
    grip: t('catalogueEntries.order.grip'),
    keys: { up: t('catalogueEntries.order.moveUp'), down: t('catalogueEntries.order.moveDown') },
  };
  return {
    move,
    order: isOrdered ? order : undefined,
    /** The same sentence is read again only if its text differs. */
    said: `${moves.text}${moves.count % 2 === 0 ? '' : '\u00a0'}`,
  };
}
