import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** The countries of phone numbers, and how a number is read by the rule of its country. */

/** The countries in the reader's language, by name, with their calling codes. */
export function phoneCountries(language: string): { value: CountryCode; label: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const order = new Intl.Collator(language);
  return getCountries()
    .map((country) => ({
      value: country,
      label: `${names.of(country) ?? country} (+${getCountryCallingCode(country)})`,
    }))
    .sort((left, right) => order.compare(left.label, right.label));
}

const zonesOf = (country: CountryCode): readonly string[] => {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } = new Intl.Locale(
    `und-${country}`,
  );
  return locale.getTimeZones?.() ?? [];
};

/** The country of the browser's languages, else that of the site's time zone. */
export function likelyCountry(languages: readonly string[], siteTimezone: string | undefined): CountryCode {
  const ofBrowser = languages
    .map((tag) => /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?-([A-Z]{2})\b/.exec(tag)?.[1] ?? '')
    .find((region): region is CountryCode => isSupportedCountry(region));
  const ofSite = () =>
    getCountries().find((country) => siteTimezone !== undefined && zonesOf(country).includes(siteTimezone));
  return ofBrowser ?? ofSite() ?? 'KR';
}

/** The country of a chosen value of the list. */
export const asCountry = (value: string): CountryCode | undefined =>
  isSupportedCountry(value) ? value : undefined;

/** The international form of a number as people of the country write it; undefined if it is none. */
export function internationalForm(text: string, country: CountryCode): string | undefined {
  const read = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return read?.isValid() && read.ext === undefined ? read.number : undefined;
}

/** The country of a number in the international form. */
export const countryOf = (number: string): CountryCode | undefined =>
  parsePhoneNumberFromString(number, { extract: false })?.country;
