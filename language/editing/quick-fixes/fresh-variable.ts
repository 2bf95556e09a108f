import { clauseMentions } from '#language/symbols/clause-mentions.ts';

/** A variable that the clause does not have yet, called as wished where that is free. */
export function freshVariable(text: string, wished: string): string {
    const taken = new Set(
        clauseMentions(text).flatMap(mention => (mention.kind === 'variable' || mention.kind === 'anonymous' ? [mention.name] : [])),
    );
    if (!taken.has(wished)) return wished;
    let number = 2;
    while (taken.has(`${wished}${number}`)) number++;
    return `${wished}${number}`;
}
