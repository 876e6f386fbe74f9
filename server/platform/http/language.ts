import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

export type Language = 'en' | 'ko';

const languages: readonly Language[] = ['en', 'ko'];

export const isLanguage = (value: unknown): value is Language => languages.some((one) => one === value);

/** The language of a device: from its cookie, else the one that its browser prefers, else English. */
export function deviceLanguageOf({
  cookies,
  headers,
}: Pick<FastifyRequest, 'cookies' | 'headers'>): Language {
  if (isLanguage(cookies.language)) return cookies.language;
  const [preferred] = new Negotiator({ headers }).languages([...languages]);
  return isLanguage(preferred) ? preferred : 'en';
}
