import type { Suggestion } from '#language/program/problem.ts';

/** A suggestion in words, as a phrase. */
export function remedyOf(suggestion: Suggestion): string {
    switch (suggestion.kind) {
        case 'write':
            return `write '${suggestion.text}'`;
        case 'meant':
            return `did you mean '${suggestion.name}'?`;
        case 'cast':
            return `cast it: ${suggestion.to}(…)`;
        case 'swap':
            return 'swap the sides';
        case 'form':
            return suggestion.annotation === undefined
                ? `write '${suggestion.text}'`
                : removal(`write '${suggestion.annotation.text}' as a clause of its own`);
        case 'helper': {
            const atom = `${suggestion.name}(${suggestion.terms})`;
            return `write 'not ${atom}' and '${atom} <- ${suggestion.body}.' as a clause of its own`;
        }
    }
}

/** What is marked goes, for a reason or with something in its place. */
export function removal(why: string): string {
    return `remove it: ${why}`;
}
