import { capitalised } from '#language/program/capitalised.ts';
import { isPredicateName } from '#language/tools/build-bind.ts';

/** A name in lower case, with `_` for what predicates cannot hold. */
export function predicateName(name: string): string {
    const cleaned = name.toLowerCase().replaceAll(/[^a-z0-9_]/gu, '_');
    return isPredicateName(cleaned) ? cleaned : `t_${cleaned}`;
}

/** Words capitalised and joined. */
export function variableName(name: string): string {
    const words = name.match(/[A-Za-z0-9]+/gu) ?? [];
    const joined = words.map(capitalised).join('');
    // `NULL` is no name, however it is written.
    return /^[A-Z]/u.test(joined) && !/^null$/iu.test(joined) ? joined : `C${joined}`;
}
