import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { internationalForm } from './international-form.ts';

const DEFAULT_REGION = 'US';

/** Telephone numbers (6.8). */
export const PHONE_FUNCTIONS: Family = [['utils:phone_number', eager(phoneNumber)]];

/** The international form; unreadable text gives an unknown value (D-51). */
function phoneNumber({ dictionary, missing, undefinedFor }: CallSite): Implementation {
    return args => {
        const region = args.length > 1 ? dictionary.stringOf(args[1]!).toUpperCase() : DEFAULT_REGION;
        const form = internationalForm(dictionary.stringOf(args[0]!), region);
        switch (form) {
            case 'no-region':
                return undefinedFor(args);
            case 'no-number':
                return missing(args);
            default:
                return dictionary.string(form.text);
        }
    };
}
