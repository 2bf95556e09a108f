import type { Suggestion } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';

/** A suggestion in words, as a phrase. */
export function remedyOf(suggestion: Suggestion): string {
    switch (suggestion.kind) {
        case 'write':
            return say`write '${suggestion.text}'`;
        case 'meant':
            return say`did you mean '${suggestion.name}'?`;
        case 'cast':
            return say`cast it: ${suggestion.to}(…)`;
        case 'swap':
            return say`swap the sides`;
        case 'form':
            return suggestion.annotation === undefined
                ? say`write '${suggestion.text}'`
                : removal(say`write '${suggestion.annotation.text}' as a clause of its own`);
        case 'helper': {
            const atom = `${suggestion.name}(${suggestion.terms})`;
            return say`write 'not ${atom}' and '${atom} <- ${suggestion.body}.' as a clause of its own`;
        }
    }
}

/** Says to remove the marked text, for a reason or with a replacement. */
export function removal(why: string): string {
    return say`remove it: ${why}`;
}
