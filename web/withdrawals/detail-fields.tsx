import { Tabs, Textarea, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { bareAddress } from '#contract/destination-code.ts';
import { formatAmount, formatPoints, formatWorth, toPoints } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { classifyAddress } from './address.ts';
import { AmountInput } from './amount-input.tsx';
import styles from './detail-fields.module.css';
import type { DraftError, DraftErrors } from './draft-errors.ts';
import type { Draft } from './kept-draft.ts';
import { LastAddress } from './last-address.tsx';
import type { Bounds, WithdrawalMethod } from './use-withdrawal.ts';

export type DetailFieldsProps = {
  methods: WithdrawalMethod[];
  draft: Draft;
  bounds: Bounds;
  errors: DraftErrors;
  onChange: (part: Partial<Draft>) => void;
};

/** The first step: method, amount and address. */
export function DetailFields({ methods, draft, bounds, errors, onChange }: DetailFieldsProps) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <Tabs
      value={draft.method}
      variant="none"
      keepMounted={false}
      onChange={(value) => {
        if (value !== null) onChange({ method: value });
      }}
    >
      <Tabs.List className={styles.rails} aria-label={t('withdrawals.dialog.paidAs')}>
        {methods.map(({ method }) => (
          <Tabs.Tab
            key={method}
            value={method}
            className={styles.rail}
            leftSection={<RailIcon method={method} />}
          >
            {nameOf(method)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={draft.method}>
        <AmountField draft={draft} bounds={bounds} error={errors.amount} onChange={onChange} />
        <AddressField draft={draft} error={errors.address} onChange={onChange} />
      </Tabs.Panel>
    </Tabs>
  );
}

type FieldProps = { draft: Draft; error: DraftError | undefined; onChange: (part: Partial<Draft>) => void };

/** Amounts with more digits are set smaller, so that they fit a phone. */
const LONG_DIGITS = 7;

const quickSums = [1_000n, 5_000n, 10_000n];

function AmountField({ draft, bounds, error, onChange }: FieldProps & { bounds: Bounds }) {
  const { t } = useTranslation();
  const range =
    bounds.maximum < bounds.minimum
      ? t('withdrawals.dialog.from', { from: formatAmount(bounds.minimum) })
      : t('withdrawals.dialog.range', {
          from: formatPoints(bounds.minimum),
          to: formatAmount(bounds.maximum),
        });
  return (
    <div className={styles.field}>
      <label htmlFor="withdraw-amount" className={styles.fieldLabel}>
        <FieldLabel text={t('withdrawals.dialog.amount')} help={<span className="num">{range}</span>} />
      </label>
      <div
        className={styles.money}
        data-error={error !== undefined || undefined}
        data-long={draft.amount.length > LONG_DIGITS || undefined}
      >
        <AmountInput
          id="withdraw-amount"
          variant="unstyled"
          classNames={{ wrapper: styles.moneyRoot ?? '', input: styles.moneyInput ?? '' }}
          value={draft.amount}
          onChange={(amount) => onChange({ amount })}
          maxLength={18}
          inputMode="numeric"
          autoComplete="off"
          placeholder="0"
          data-autofocus
          error={error !== undefined}
          withErrorStyles={false}
          aria-describedby={error === undefined ? 'withdraw-worth' : 'withdraw-amount-error'}
        />
        <span className={styles.unit}>P</span>
        <span className={`num ${styles.worth}`} id="withdraw-worth">
          {formatWorth(draft.amount)}
        </span>
      </div>
      <div id="withdraw-amount-error" className={styles.error} role="status">
        {error !== undefined && fieldError(<ErrorText error={error} onChange={onChange} />)}
      </div>
      <QuickSums draft={draft} bounds={bounds} onChange={onChange} />
    </div>
  );
}

type QuickSumsProps = Pick<FieldProps, 'draft' | 'onChange'> & { bounds: Bounds };

function QuickSums({ draft, bounds, onChange }: QuickSumsProps) {
  const { t } = useTranslation();
  const choices = [
    ...quickSums
      .filter((sum) => sum >= bounds.minimum && sum < bounds.maximum)
      .map((sum) => ({ sum, label: formatPoints(sum) })),
    { sum: bounds.maximum, label: t('withdrawals.dialog.all') },
  ];
  return (
    <fieldset className={styles.quick}>
      <legend className="visually-hidden">{t('withdrawals.dialog.quick')}</legend>
      {choices.map(({ sum, label }) => (
        <button
          key={label}
          type="button"
          className="num"
          disabled={sum < bounds.minimum}
          aria-pressed={draft.amount !== '' && toPoints(draft.amount) === sum}
          onClick={() => onChange({ amount: sum.toString() })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function AddressField({ draft, error, onChange }: FieldProps) {
  const { wordOf } = useRailWords();
  const { data: rails } = useRails();
  const { method, address } = draft;
  const shared = {
    id: 'withdraw-address',
    value: address,
    label: (
      <FieldLabel
        text={wordOf('withdrawals.dialog.address', method)}
        help={wordOf('withdrawals.dialog.hint', method)}
      />
    ),
    error: error !== undefined && fieldError(<ErrorText error={error} onChange={onChange} />),
    autoComplete: 'off',
    spellCheck: false,
    maxLength: 254,
  };
  return (
    <div className={styles.field}>
      {findRail(rails, method)?.destination?.kind === 'email' ? (
        <TextInput
          {...shared}
          type="email"
          inputMode="email"
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
      ) : (
        <Textarea
          {...shared}
          classNames={{ input: styles.address }}
          autosize
          minRows={1}
          maxRows={4}
          autoCapitalize="none"
          onKeyDown={(event) => {
            // The address wraps, but is one line: Enter submits the form, as in an input.
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          onChange={(event) => onChange({ address: bareAddress(event.currentTarget.value) })}
        />
      )}
      {address === '' && error === undefined ? (
        <LastAddress key={method} method={method} onChange={onChange} />
      ) : (
        <AddressHint draft={draft} isWrong={error !== undefined} />
      )}
    </div>
  );
}

/** What is known of an address that is not wrong: how much of it is typed, or that it is complete. */
function AddressHint({ draft: { method, address }, isWrong }: { draft: Draft; isWrong: boolean }) {
  const { t } = useTranslation();
  const { wordOf } = useRailWords();
  const { data: rails } = useRails();
  const typed = classifyAddress(rails, method, address);
  const isChecked = findRail(rails, method)?.destination?.code != null;
  if (isWrong) return null;
  return (
    <p className={styles.hint} role="status" data-tone={typed.state === 'right' ? 'ok' : undefined}>
      {typed.state === 'unfinished' && (
        <span className="num">
          {t('withdrawals.dialog.typed', { count: typed.length, whole: typed.whole })}
        </span>
      )}
      {typed.state === 'right' && (
        <>
          <IconCircleCheck size={16} stroke={2} aria-hidden="true" />
          {isChecked ? t('withdrawals.dialog.checked') : wordOf('withdrawals.dialog.looksRight', method)}
        </>
      )}
    </p>
  );
}

/** A message, and the button that mends it. */
function ErrorText({
  error: { message, fix },
  onChange,
}: { error: DraftError } & Pick<FieldProps, 'onChange'>) {
  if (fix === undefined) return message;
  return (
    <>
      {message}{' '}
      <button type="button" className={styles.fix} onClick={() => onChange(fix.part)}>
        {fix.label}
      </button>
    </>
  );
}
