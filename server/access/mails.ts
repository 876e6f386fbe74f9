import type { Config } from '#platform/config.ts';
import type { Reader as DatabaseReader } from '#platform/database.ts';
import { type Mail, mailOf } from '#platform/mail.ts';
import { type brandOf, readBrand } from '../members/members.ts';

/**
 * The mails of access. A change of an account's security is mailed as a notice. The mails hold no text that a person
 * typed, not even a name, so that nobody can send their own words to a stranger by registering with the stranger's
 * address.
 */
type Language = 'en' | 'ko';
type Reader = { email: string; language: Language };

type Text = { subject: string; lines: string[] };
/** `approved` and `rejected`: an operator's decision on a registration. */
type Kind = 'reset' | 'verify' | 'taken' | 'approved' | 'rejected';
type Brand = Pick<ReturnType<typeof brandOf>, 'name' | 'supportEmail'>;
/** Whom the mails are from, and where their links lead. */
type Sender = { publicUrl: string; brand: Brand };

/** Reads the sender of now, in the transaction that enqueues the mail. */
export const readSender = async (
  reader: DatabaseReader,
  config: Pick<Config, 'publicUrl' | 'mode'>,
): Promise<Sender> => ({ publicUrl: config.publicUrl, brand: await readBrand(reader, config) });

function english({ name: brand, supportEmail }: Brand, link: string): Record<Kind, Text> {
  return {
    reset: {
      subject: `Choose a new password for ${brand}`,
      lines: [
        `Somebody asked for a new password for your ${brand} account. Choose it here:`,
        link,
        'The link is good for 60 minutes and works once.',
        'If you did not ask, you can ignore this mail: your password stays as it is.',
      ],
    },
    verify: {
      subject: `Confirm your e-mail address for ${brand}`,
      lines: [
        `An account was made at ${brand} with this address. Confirm that the address is yours:`,
        link,
        'The link is good for 3 days. If you made no account, do not open it and ignore this mail.',
      ],
    },
    taken: {
      subject: `You already have an account at ${brand}`,
      lines: [
        `Somebody tried to make an account at ${brand} with this address, which has one already. Nothing has changed.`,
        'If it was you, log in. If you forgot your password, choose a new one here:',
        link,
        'If it was not you, you can ignore this mail. We send it at most once an hour.',
      ],
    },
    approved: {
      subject: `You can register at ${brand}`,
      lines: [
        `Somebody asked for a ${brand} account with this address. We looked at it, and you can register now:`,
        link,
        'There is no account yet, and we kept no password. Fill in the form again, with this address.',
        'If you did not ask, you can ignore this mail.',
      ],
    },
    rejected: {
      subject: `Your registration at ${brand}`,
      lines: [
        `Somebody asked for a ${brand} account with this address. We looked at it, and we can't open one.`,
        `There is no account, and we kept no password. If you think that we are wrong, write to ${supportEmail}.`,
        'If you did not ask, you can ignore this mail.',
      ],
    },
  };
}

function korean({ name: brand, supportEmail }: Brand, link: string): Record<Kind, Text> {
  return {
    reset: {
      subject: `${brand} 새 비밀번호 정하기`,
      lines: [
        `${brand} 계정의 새 비밀번호 요청을 받았습니다. 아래에서 정해 주세요:`,
        link,
        '링크는 60분 동안 한 번만 쓸 수 있습니다. 요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 그대로입니다.',
      ],
    },
    verify: {
      subject: `${brand} 이메일 주소 확인`,
      lines: [
        `이 주소로 ${brand} 계정이 만들어졌습니다. 본인의 주소인지 확인해 주세요:`,
        link,
        '링크는 3일 동안 쓸 수 있습니다. 계정을 만들지 않았다면 열지 말고 이 메일을 무시해 주세요.',
      ],
    },
    taken: {
      subject: `이미 ${brand} 계정이 있습니다`,
      lines: [
        `누군가 이 주소로 ${brand} 계정을 만들려고 했습니다. 이 주소에는 이미 계정이 있고, 바뀐 것은 없습니다.`,
        '본인이라면 로그인해 주세요. 비밀번호를 잊었다면 여기에서 새로 정할 수 있습니다:',
        link,
        '본인이 아니라면 이 메일을 무시해 주세요. 이 메일은 한 시간에 한 번만 보냅니다.',
      ],
    },
    approved: {
      subject: `${brand}에 가입할 수 있습니다`,
      lines: [
        `이 주소로 ${brand} 가입 신청을 받았습니다. 검토를 마쳤으며, 이제 가입할 수 있습니다:`,
        link,
        '아직 계정은 없고, 입력한 비밀번호도 저장하지 않았습니다. 이 주소로 가입 양식을 다시 작성해 주세요.',
        '신청하지 않았다면 이 메일을 무시해 주세요.',
      ],
    },
    rejected: {
      subject: `${brand} 가입 검토 결과`,
      lines: [
        `이 주소로 ${brand} 가입 신청을 받았습니다. 검토한 결과 계정을 만들어 드릴 수 없습니다.`,
        `계정은 만들지 않았고, 입력한 비밀번호도 저장하지 않았습니다. 결과에 이의가 있으면 ${supportEmail}로 보내 주세요.`,
        '신청하지 않았다면 이 메일을 무시해 주세요.',
      ],
    },
  };
}

const pathOf = (kind: Kind, token: string | null): string => {
  if (kind === 'taken') return '/auth?tab=forgot';
  if (kind === 'approved' || kind === 'rejected') return '/auth?tab=register';
  return `${kind === 'reset' ? '/reset-password' : '/verify-email'}?token=${token}`;
};

/** Makes a mail in its reader's language. `token` is for the kinds with a token in their link. */
export function accessMail(
  { publicUrl, brand }: Sender,
  to: Reader,
  kind: Kind,
  token: string | null = null,
): Mail {
  const link = `${publicUrl}${pathOf(kind, token)}`;
  const { subject, lines } = (to.language === 'ko' ? korean : english)(brand, link)[kind];
  return mailOf(brand, { to: to.email, subject, lines });
}
