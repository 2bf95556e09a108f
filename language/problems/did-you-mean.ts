import { nearestName } from '#language/library/nearest-name.ts';

/** The remedy that names what was probably meant. */
export function didYouMean(name: string | undefined): string | undefined {
    return name === undefined ? undefined : `did you mean '${name}'?`;
}

/** More unknown names than this in one program are no slips of the keyboard; comparing all of them would take long. */
const MOST_SEARCHES = 100;

/** Looks for the nearest of many names, a limited number of times. */
export function nearestAmong(names: () => Iterable<string>): (name: string) => string | undefined {
    let candidates: readonly string[] | undefined;
    let searches = 0;
    return name => {
        if (++searches > MOST_SEARCHES) return undefined;
        candidates ??= [...names()];
        return nearestName(name, candidates);
    };
}
