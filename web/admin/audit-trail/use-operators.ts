import { useTranslation } from 'react-i18next';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { readOperators } from '#contract/members-operators.ts';
import type { Option } from '#web/admin/kit/list-screen.ts';
import { useRead } from '#web/client/use-call.ts';

type Operators = {
  options: readonly Option[] | undefined;
  nameOf: (act: Pick<RecordedAct, 'actor' | 'operatorId'>) => string;
};

/** The operators of now, for the filter and for names. Whoever was one before is named by the id. */
export function useOperators(): Operators {
  const { t } = useTranslation();
  const { data = [], isPending } = useRead(readOperators);
  const options = data.map((operator) => ({ value: operator.id, label: fullNameOf(operator) }));
  return {
    options: isPending ? undefined : options,
    nameOf: ({ actor, operatorId: id }) => {
      if (actor === 'command-line' || actor === 'site') return t(`auditTrail.choices.actor.${actor}`);
      if (id === null) return t('auditTrail.commandLineOrSite');
      return options.find(({ value }) => value === id)?.label ?? t('auditTrail.operator', { id });
    },
  };
}
