import { useTranslation } from 'react-i18next';
import type { AddressFault } from '#contract/address-faults.ts';
import { formatAmount, formatPoints, toPoints } from '#web/client/format.ts';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { classifyAddress } from './address.ts';
import { isNeverAmount, isWholeAmount } from './amount.ts';
import { useFaultWords, useForeignWords } from './fault-words.ts';
import type { Draft } from './kept-draft.ts';
import type { Bounds, FieldName, WithdrawalMethod } from './use-withdrawal.ts';

/** A message at a field, and the change of the draft that mends it, if one does. */
export type DraftError = { message: string; fix?: { label: string; part: Partial<Draft> } };
export type DraftErrors = Partial<Record<FieldName, DraftError>>;

/** `isSettled`: the amount is not being typed just now. `isFinal`: the member wants to go on with what is typed. */
type Moment = { isSettled: boolean; isFinal: boolean };

/**
 * What is wrong with a draft: while it is typed what is certain, at the end everything. An amount may still grow above
 * the minimum while it is typed, and an address may still be finished.
 */
export function useDraftErrors(methods: readonly WithdrawalMethod[]) {
  const amountError = useAmountError();
  const addressError = useAddressError(methods);
  return (draft: Draft, bounds: Bounds, moment: Moment): DraftErrors => {
    const [amount, address] = [amountError(draft, bounds, moment), addressError(draft, moment)];
    return { ...(amount && { amount }), ...(address && { address }) };
  };
}

function useAmountError() {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  return (draft: Draft, bounds: Bounds, { isSettled, isFinal }: Moment): DraftError | undefined => {
    const { minimum, maximum, balance } = bounds;
    if (!isWholeAmount(draft.amount))
      return isNeverAmount(draft.amount) || isFinal || isSettled
        ? { message: t('withdrawals.errors.digits') }
        : undefined;
    const method = nameOf(draft.method);
    const amount = toPoints(draft.amount);
    const use = (points: bigint): Pick<DraftError, 'fix'> =>
      maximum < minimum
        ? {}
        : {
            fix: {
              label: t('withdrawals.errors.use', { amount: formatAmount(points) }),
              part: { amount: points.toString() },
            },
          };
    if (amount > balance) {
      const has = { balance: formatAmount(balance), missing: formatAmount(amount - balance) };
      const message = `${t('withdrawals.errors.insufficient')} ${t('withdrawals.errors.missing', has)}`;
      return { message, ...use(maximum) };
    }
    if (amount > maximum) {
      const message = t('withdrawals.errors.maximum', { method, maximum: formatPoints(maximum) });
      return { message, ...use(maximum) };
    }
    if (amount >= minimum || !(isFinal || (isSettled && draft.amount !== ''))) return undefined;
    const message = t('withdrawals.errors.minimum', { method, minimum: formatPoints(minimum) });
    return { message, ...use(minimum) };
  };
}

function useAddressError(methods: readonly WithdrawalMethod[]) {
  const { t } = useTranslation();
  const { nameOf, wordOf } = useRailWords();
  const { data: rails } = useRails();
  const faultWords = useFaultWords();
  const foreignWords = useForeignWords();
  return ({ method, address }: Draft, { isFinal }: Moment): DraftError | undefined => {
    const destination = findRail(rails, method)?.destination;
    const typed = classifyAddress(rails, method, address);
    const beginnings = destination?.code?.beginnings ?? [];
    const wordsOf = (fault: AddressFault) =>
      faultWords(fault, nameOf(method), address.trim().charAt(0), beginnings);
    if (typed.state === 'wrong' && typed.coin !== undefined)
      return { message: foreignWords(typed.coin, nameOf(method), beginnings) };
    if (typed.state === 'wrong')
      return {
        message: typed.fault === 'mistyped' ? t('withdrawals.errors.checksum') : wordsOf(typed.fault),
      };
    if (typed.state === 'other') {
      const message = wordOf('withdrawals.errors.looksLike', typed.method);
      if (!methods.some((one) => one.method === typed.method))
        return { message: `${message} ${wordsOf('other-form')}` };
      const label = t('withdrawals.errors.switch', { method: nameOf(typed.method) });
      return { message, fix: { label, part: { method: typed.method } } };
    }
    if (!isFinal) return undefined;
    if (typed.state === 'empty') return { message: wordOf('withdrawals.errors.address', method) };
    if (typed.state === 'unfinished') return { message: wordsOf('mistyped') };
    return typed.state === 'unsure' && destination?.kind === 'email'
      ? { message: t('withdrawals.errors.email') }
      : undefined;
  };
}
