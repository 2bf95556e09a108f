import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Why a number has no international form. */
export type NoInternationalForm = 'no-region' | 'no-number';

/** The international form of a telephone number that is written as in a region, such as `AT`, or with a plus. */
export function internationalForm(number: string, region: string): { readonly text: string } | NoInternationalForm {
    if (!isSupportedCountry(region)) return 'no-region';
    const parsed = parsePhoneNumberFromString(number, region);
    return parsed?.isPossible() ? { text: parsed.formatInternational() } : 'no-number';
}
