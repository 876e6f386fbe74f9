/** Reports of mail servers about a mail. */
type Reported = {
  address?: string;
  messageId?: string;
  /** Further headers of the report, and of the copy in it. */
  headers?: readonly string[];
  copied?: readonly string[];
  /** What the server says that it did. */
  action?: 'failed' | 'delayed';
};

export const reportOf = (
  kind: 'delivery-status' | 'feedback-report',
  { address = '', messageId, headers = [], copied = [], action = 'failed' }: Reported,
): string =>
  [
    ...headers,
    `Content-Type: multipart/report; report-type=${kind}; boundary=b`,
    '',
    '--b',
    `Content-Type: message/${kind}`,
    '',
    ...(kind === 'feedback-report'
      ? ['Feedback-Type: abuse']
      : ['', `Final-Recipient: rfc822;${address}`, `Action: ${action}`, 'Status: 5.1.1']),
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    ...copied,
    ...(messageId === undefined ? [] : [`Message-ID: ${messageId}`]),
    'Subject: A short pause',
    '',
    '--b--',
  ].join('\r\n');
