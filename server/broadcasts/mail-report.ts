import { reasonOf } from './mail-outcome.ts';

/**
 * Reads what mail servers report about a mail by mail: that it can't be delivered (RFC 3464) or that its reader
 * complained (ARF, RFC 5965). Files of mail servers end their lines with CRLF, LF or CR. Reading changes nothing.
 */
export type MailReport =
  | ({
      kind: 'bounce';
      /** The address that failed, in lower case. */
      recipient: string;
      /** The address does not exist, so it fails for good; the others may succeed another time. */
      reason: 'no-address' | 'mailbox-full' | 'refused' | 'deferred';
      isPermanent: boolean;
    } & NamesMail)
  | ({ kind: 'complaint' } & NamesMail);

/** What names the mail that a report is about. */
type NamesMail = {
  messageId: string | null;
  /** The fields that may have the address to which the report came: of the report, and of the copy in it. */
  addresses: readonly string[];
};

type Part = { type: string; headers: Headers; body: string };
type Headers = ReadonlyMap<string, string>;

/** Longer texts are no reports. */
export const REPORT_CHARACTERS_MAX = 1_000_000;
const PARTS_MAX = 20;
/** What a field has beyond this is left out, so that no expression reads a text of a stranger for long. */
const FIELD_CHARACTERS_MAX = 10_000;
/** The fields in which servers write the address to which they brought a mail. */
const RECIPIENT_FIELDS = ['x-original-to', 'delivered-to', 'envelope-to', 'to'] as const;
const COMPLAINTS: readonly string[] = ['abuse', 'fraud', 'opt-out'];

/** Reads a mail; undefined if it reports neither a failed delivery nor a complaint. */
export function readMailReport(raw: string): MailReport | undefined {
  const text = raw.slice(0, REPORT_CHARACTERS_MAX).replaceAll(/\r\n?/g, '\n');
  const mail = partOf(text.replace(/^From .*\n/, ''));
  if (mail.type !== 'multipart/report') return undefined;
  const parts = partsOf(mail);
  const copied = copiedHeaders(parts);
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  const ofFeedback = headersOf(feedback?.body ?? '');
  const addresses = [
    ...RECIPIENT_FIELDS.map((name) => mail.headers.get(name)),
    ofFeedback.get('original-mail-from'),
    copied.get('return-path'),
  ];
  const names = {
    messageId: messageIdIn(copied),
    addresses: addresses.filter((field) => field !== undefined),
  };
  if (feedback !== undefined) {
    const kind = ofFeedback.get('feedback-type')?.toLowerCase() ?? '';
    return COMPLAINTS.includes(kind) ? { kind: 'complaint', ...names } : undefined;
  }
  const status = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  return status === undefined ? undefined : bounceIn(status.body, names);
}

/** The first recipient whose mail failed. A delay is none: the server goes on trying. */
function bounceIn(body: string, names: NamesMail): MailReport | undefined {
  for (const group of body.split(/\n[ \t]*\n/)) {
    const fields = headersOf(group);
    const recipient = addressIn(fields.get('final-recipient') ?? fields.get('original-recipient') ?? '');
    if (recipient === '' || fields.get('action')?.toLowerCase() !== 'failed') continue;
    const diagnostic = fields.get('diagnostic-code') ?? '';
    const [, status = ''] = /^(\d\.\d{1,3}\.\d{1,3})/.exec(fields.get('status') ?? '') ?? [];
    const [, code] = /\b([45]\d\d)\b/.exec(diagnostic) ?? [];
    // The reporting server gave up, also where each answer was only "later".
    const isPermanent = status.startsWith('5') || (status === '' && code?.startsWith('5') === true);
    const known = reasonOf({ status, diagnostic, code: Number(code ?? (isPermanent ? 550 : 450)) });
    return { kind: 'bounce', recipient, reason: known, isPermanent, ...names };
  }
  return undefined;
}

function addressIn(field: string): string {
  const [, address = ''] = /^[\w-]+\s*;\s*<?([^<>\s]+)>?$/.exec(field) ?? [];
  return address.slice(1, -1).includes('@') ? address.toLowerCase() : '';
}

/** The headers of the mail that the report is about, from the copy or the headers that it holds. */
function copiedHeaders(parts: readonly Part[]): Headers {
  const copy = parts.find(({ type }) =>
    /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/.test(type),
  );
  return headersOf(headOf(copy?.body ?? ''));
}

function messageIdIn(copied: Headers): string | null {
  const [, id = null] = /(<[^<>\s]+>)/.exec(copied.get('message-id') ?? '') ?? [];
  return id;
}

const headOf = (text: string): string => text.split(/\n\n/, 1)[0] ?? '';

/** The fields of a block of headers by their lower-case names, unfolded. Of several the first. */
function headersOf(block: string): Headers {
  const found = new Map<string, string>();
  for (const line of block.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const field = line.slice(0, FIELD_CHARACTERS_MAX);
    const nameLength = Math.max(0, field.indexOf(':'));
    const name = field.slice(0, nameLength).toLowerCase();
    if (/^[\w-]+$/.test(name) && !found.has(name)) found.set(name, field.slice(nameLength + 1).trim());
  }
  return found;
}

function partOf(text: string): Part {
  const trimmed = text.replace(/^\n+/, '');
  const head = headOf(trimmed);
  const headers = headersOf(head);
  const type = /^[\w./+-]+/.exec(headers.get('content-type') ?? '')?.[0]?.toLowerCase() ?? 'text/plain';
  const body = trimmed.slice(head.length).replace(/^\n+/, '');
  return { type, headers, body: decoded(body, headers.get('content-transfer-encoding') ?? '') };
}

/** The parts of a mail of several. A report that was cut off has no closing line. */
function partsOf({ headers, body }: Part): Part[] {
  const [, quoted, plain] =
    /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(headers.get('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return [];
  const [, ...pieces] = `\n${body}`.split(`\n--${boundary}`);
  return pieces
    .filter((piece) => !piece.startsWith('--'))
    .slice(0, PARTS_MAX)
    .map((piece) => partOf(piece.replace(/^[^\n]*\n/, '')));
}

function decoded(body: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64')
    return Buffer.from(body, 'base64').toString('utf8').replaceAll(/\r\n?/g, '\n');
  if (encoding.toLowerCase() !== 'quoted-printable') return body;
  const unfolded = body.replaceAll(/=[ \t]*\n/g, '');
  return unfolded.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
