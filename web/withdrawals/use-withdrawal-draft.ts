import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type DraftErrors, useDraftErrors } from './draft-errors.ts';
import { type Draft, keepPart, readKept } from './kept-draft.ts';
import { boundsOf, type FieldName, useSendDraft, type WithdrawalMethod } from './use-withdrawal.ts';

export type Step = 'details' | 'phone' | 'check';

/** An amount that did not change for this long is not being typed. */
const TYPING_MS = 700;

type DraftOptions = {
  memberId: string;
  methods: WithdrawalMethod[];
  balance: string;
  /** Whether a phone must be verified before the check. */
  isPhoneNeeded: boolean;
  onDone: (id: string) => void;
};

/** The draft of a withdrawal and its steps. An error reopens the first step and focuses its field. */
export function useWithdrawalDraft({ memberId, methods, balance, isPhoneNeeded, onDone }: DraftOptions) {
  const [step, setStep] = useState<Step>('details');
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readKept(memberId).draft;
    if (kept !== undefined && methods.some(({ method }) => method === kept.method)) return kept;
    return { method: methods[0]?.method ?? '', amount: '', address: '' };
  });
  const [isFinal, setFinal] = useState(false);
  const [refused, setRefused] = useState<DraftErrors>({});
  const [toFocus, setToFocus] = useState<FieldName | null>('amount');
  const [settled] = useDebouncedValue(draft.amount, TYPING_MS);
  const errorsOf = useDraftErrors(methods);
  const method = methods.find((one) => one.method === draft.method);
  const bounds = boundsOf(method, balance);
  const isSettled = settled === draft.amount;

  const showError = (field: FieldName, message: string) => {
    setRefused({ [field]: { message } });
    setStep('details');
    setToFocus(field);
  };
  const discard = () => keepPart(memberId, { draft: undefined });
  const sent = (id: string) => {
    discard();
    onDone(id);
  };
  const { send, isPending, failure, forget } = useSendDraft(memberId, sent, showError);

  useEffect(() => {
    if (toFocus === null || step !== 'details') return;
    document.getElementById(`withdraw-${toFocus}`)?.focus();
    setToFocus(null);
  }, [toFocus, step]);

  const change = (part: Partial<Draft>) => {
    const changed = { ...draft, ...part };
    keepPart(memberId, { draft: changed });
    setDraft(changed);
    setRefused({});
    setFinal(false);
    forget();
  };

  const next = () => {
    const found = errorsOf(draft, bounds, { isSettled, isFinal: true });
    setFinal(true);
    if (found.amount !== undefined) setToFocus('amount');
    else if (found.address !== undefined) setToFocus('address');
    else setStep(isPhoneNeeded ? 'phone' : 'check');
  };

  return {
    step,
    draft,
    bounds,
    errors: { ...errorsOf(draft, bounds, { isSettled, isFinal }), ...refused },
    change,
    discard,
    next,
    toCheck: () => setStep('check'),
    back: () => setStep('details'),
    send: () => send(draft),
    isPending,
    failure,
  };
}
