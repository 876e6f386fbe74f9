import { useEffect, useState } from 'react';
import {
  boundsOf,
  type Draft,
  type FieldName,
  useDraftErrors,
  useSendDraft,
  type WithdrawalMethod,
} from './use-withdrawal.ts';

/** The draft of a withdrawal and its two steps. An error reopens the first step and focuses its field. */
export function useDraft(methods: WithdrawalMethod[], balance: string, onDone: () => void) {
  const [step, setStep] = useState<1 | 2>(1);
  const [draft, setDraft] = useState<Draft>({
    method: methods[0]?.method ?? '',
    amount: '',
    address: '',
  });
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const [toFocus, setToFocus] = useState<FieldName | null>('amount');
  const errorsOf = useDraftErrors();
  const method = methods.find((one) => one.method === draft.method);
  const bounds = boundsOf(method, balance);

  const showError = (field: FieldName, message: string) => {
    setErrors({ [field]: message });
    setStep(1);
    setToFocus(field);
  };
  const { send, isPending, failure, forget } = useSendDraft(onDone, showError);

  useEffect(() => {
    if (toFocus === null || step !== 1) return;
    document.getElementById(`withdraw-${toFocus}`)?.focus();
    setToFocus(null);
  }, [toFocus, step]);

  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setErrors({});
    forget();
  };

  const toCheck = (event: React.FormEvent) => {
    event.preventDefault();
    const found = errorsOf(draft, bounds);
    setErrors(found);
    if (found.amount !== undefined) setToFocus('amount');
    else if (found.address !== undefined) setToFocus('address');
    else setStep(2);
  };

  return {
    step,
    draft,
    bounds,
    errors,
    change,
    toCheck,
    back: () => setStep(1),
    send: () => send(draft),
    isPending,
    failure,
  };
}
