import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ApiError, addressOf, type CallInput, callForFile } from '#web/client/call.ts';
import { toast } from './toast.tsx';

/** After this time the browser has taken the file from its address. */
const TAKEN_MS = 60_000;

function saveFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS);
}

/**
 * The props of a link that downloads an endpoint's file. The file is fetched as a call, because a browser shows a
 * refused download as a canceled one. A refusal shows as a toast.
 */
export function useFileLink<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutation<File, ApiError>({
    mutationFn: () => callForFile(endpoint, input),
    onSuccess: saveFile,
    onError: ({ code }) => toast.bad(t(`refusals.${code}`), t('common.downloadFailed')),
  });
  return {
    href: addressOf(endpoint, input),
    download: true,
    'aria-busy': isPending || undefined,
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      if (!isPending) mutate();
    },
  };
}
