import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { readOperators } from '#contract/members-operators.ts';
import {
  confirmProposal,
  type readSite,
  type SettingName,
  type SettingValue,
  type SiteProposal,
  withdrawProposal,
} from '#contract/site.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { ApiError } from '#web/client/call.ts';
import { formatPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './settings.module.css';
import type { FieldName } from './site-draft.ts';

/** The field of the form that shows a setting. */
const fieldOf = (setting: SettingName) => (setting.split('.').at(-1) ?? setting) as FieldName;

function useValueText() {
  const { t } = useTranslation();
  return (value: SettingValue): string => {
    if (value === null) return t('siteSettings.proposals.none');
    if (typeof value === 'boolean') return t(value ? 'connection.on' : 'connection.off');
    if (Array.isArray(value)) return value.map(formatPoints).join(', ');
    return formatPoints(value);
  };
}

/** Changes that loosen a bound and wait for another operator, who confirms or withdraws each. */
export function SiteProposals({ site }: { site: ReplyOf<typeof readSite> }) {
  const { t } = useTranslation();
  if (site.proposals.length === 0) return null;
  const title = t('siteSettings.proposals.title');
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      <p className={styles.help}>{t('siteSettings.proposals.text')}</p>
      <ul className={styles.proposals}>
        {site.proposals.map((proposal) => (
          <Proposal key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </section>
  );
}

function Proposal({ proposal }: { proposal: SiteProposal }) {
  const { t } = useTranslation();
  const { data: operators = [] } = useRead(readOperators);
  const confirming = useAct(confirmProposal);
  const withdrawing = useAct(withdrawProposal);
  const textOf = useValueText();
  const { id, setting, from, to, operatorId, at } = proposal;
  const isOwn = String(useMember().id) === operatorId;
  const asker = operators.find((operator) => operator.id === operatorId);
  const label = t(`siteSettings.fields.${fieldOf(setting)}`);
  const isPending = confirming.isPending || withdrawing.isPending;
  const answers = (done: 'confirmed' | 'withdrawn') => ({
    onSuccess: () => toast.ok(t(`siteSettings.proposals.${done}`, { setting: label })),
    onError: (error: ApiError) =>
      toast.bad(t(`refusals.${error.code}`), t('siteSettings.proposals.failed', { setting: label })),
  });
  return (
    <li aria-label={label}>
      <div className={styles.proposal}>
        <p>
          <b>{label}</b>
        </p>
        <p className="num">
          {textOf(from)} → {textOf(to)}
        </p>
        <p className={styles.help}>
          {isOwn
            ? t('siteSettings.proposals.own')
            : t('siteSettings.proposals.by', {
                name: asker === undefined ? operatorId : fullNameOf(asker),
              })}{' '}
          <Age at={at} />
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          disabled={confirming.isPending}
          loading={withdrawing.isPending}
          onClick={() => withdrawing.mutate({ params: { id } }, answers('withdrawn'))}
        >
          {t('siteSettings.proposals.withdraw')}
        </Button>
        {!isOwn && (
          <Button
            disabled={isPending && !confirming.isPending}
            loading={confirming.isPending}
            onClick={() => confirming.mutate({ params: { id } }, answers('confirmed'))}
          >
            {t('siteSettings.proposals.confirm')}
          </Button>
        )}
      </div>
    </li>
  );
}
