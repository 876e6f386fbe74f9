import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/client/call.ts';
import { toast } from '#web/ui/toast.tsx';

/** Says why a broadcast was not changed. */
export function useChangeFailure() {
  const { t } = useTranslation();
  return (error: ApiError) => toast.bad(t(`refusals.${error.code}`), t('broadcast.fail.change'));
}
