import { tokenize } from '#language/syntax/tokenize.ts';

/** A part of a clause with other texts for some of its variables. Comments and layout stay. */
export function substituted(text: string, replacements: ReadonlyMap<string, string>): string {
    let result = '';
    let from = 0;
    for (const { kind, text: name, start, end } of tokenize(text)) {
        const replacement = kind === 'variable' ? replacements.get(name) : undefined;
        if (replacement === undefined) continue;
        result += text.slice(from, start) + replacement;
        from = end;
    }
    return result + text.slice(from);
}

/** A variable that is none of these, called as wished where that is free. */
export function variableBeside(taken: ReadonlySet<string>, wished: string): string {
    let name = wished;
    for (let number = 2; taken.has(name); number++) name = `${wished}${number}`;
    return name;
}
