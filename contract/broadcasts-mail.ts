/** What surrounds the text of a broadcast in its mail, in both languages, for the mail and for its preview. */
export const broadcastWords = {
  en: {
    greeting: (name: string) => `${name},`,
    why: 'Sent to members with e-mail notifications on. Turn them off with one press of a button:',
    sampleName: 'Lena',
  },
  ko: {
    greeting: (name: string) => `${name} 님,`,
    why: '메일 알림을 켜 둔 회원에게 보냅니다. 버튼 한 번으로 끌 수 있습니다:',
    sampleName: '서연',
  },
} as const;
