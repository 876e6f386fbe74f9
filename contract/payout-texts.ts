type Language = 'en' | 'ko';

/** A payment method that members may choose now, as pages name it. */
export type PayoutMethod = {
  names: Record<Language, string>;
  /** The first characters of its addresses; none if it pays to an e-mail address. */
  beginnings: readonly string[];
};

const oneOf = (language: Language, texts: readonly string[]): string =>
  language === 'ko' ? texts.join(', ') : new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts);

function formOf(language: Language, { names, beginnings }: PayoutMethod): string {
  const name = names[language];
  const list = oneOf(language, beginnings);
  if (language === 'ko')
    return list === ''
      ? `${name} 출금에는 ${name} 계정의 이메일을 적습니다.`
      : `${name} 주소는 ${list} 가운데 하나로 시작합니다.`;
  return list === ''
    ? `For ${name} it is the e-mail of your ${name} account.`
    : `${name} addresses begin with ${list}.`;
}

/** The payment methods in the words of pages for visitors. They read well while none is switched on, too. */
export function payoutTextsIn(language: Language, methods: readonly PayoutMethod[]) {
  const names = methods.map((method) => method.names[language]);
  const wallet = language === 'ko' ? '내 지갑' : 'your wallet';
  const elsewhere = language === 'ko' ? '출금 화면에 나오는 방법' : 'the ways shown under Withdraw';
  return {
    /** All of them in a list. */
    methods: names.length === 0 ? elsewhere : oneOf(language, names),
    /** Two for examples. */
    first: names.at(0) ?? wallet,
    last: names.at(-1) ?? wallet,
    /** What their addresses look like, in sentences. */
    forms: methods.map((method) => formOf(language, method)).join(' '),
  };
}
