const locales = { en: 'en-US', ko: 'ko-KR' } as const;

/** A time of a mail, with its zone: `Nov 24, 2026, 10:30 AM (Korean Standard Time)` */
export function timeIn(language: 'en' | 'ko', timeZone: string, at: Date): string {
  const time = new Intl.DateTimeFormat(locales[language], {
    timeZone,
    year: 'numeric',
    month: language === 'ko' ? 'long' : 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const zone = new Intl.DateTimeFormat(locales[language], { timeZone, timeZoneName: 'long' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  const name = zone?.value ?? timeZone;
  return language === 'ko' ? `${time.format(at)}(${name})` : `${time.format(at)} (${name})`;
}
