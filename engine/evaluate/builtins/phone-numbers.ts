import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';

const DEFAULT_REGION = 'US';

/** Telephone numbers (6.8). */
export const PHONE_FUNCTIONS: Family = [['utils:phone_number', eager(internationalForm)]];

/** The international form of a number that is written as in its region, or with a plus; unreadable text gives an unknown value (D-51). */
function internationalForm({ dictionary, missing, undefinedFor }: CallSite): Implementation {
    return args => {
        const region = args.length > 1 ? dictionary.stringOf(args[1]!).toUpperCase() : DEFAULT_REGION;
        if (!isSupportedCountry(region)) return undefinedFor(args);
        const number = parsePhoneNumberFromString(dictionary.stringOf(args[0]!), region);
        return number?.isPossible() ? dictionary.string(number.formatInternational()) : missing(args);
    };
}
