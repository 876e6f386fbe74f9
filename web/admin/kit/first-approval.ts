import type { ApiError } from '#web/client/call.ts';

/** Whether an approval was refused because it was recorded as the first of two. */
export const isFirstApproval = ({ code, problem }: ApiError): boolean =>
  code === 'second-operator-needed' && problem?.isRecorded === true;
