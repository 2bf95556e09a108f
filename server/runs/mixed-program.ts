import { printClause } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import type { KeptProgram } from './kept-program.ts';
import type { MadeOf, RunEdit } from './run-difference.ts';

/** The input of an evaluation: a program, and values of its parameters. */
export interface MixedProgram {
    readonly program: KeptProgram;
    readonly parameters: ReadonlyMap<string, unknown>;
}

/** A text in the place of another. */
interface Cut {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** The program of a run with some of the edits that lead to that of another one. */
export function mixedProgram(
    before: MadeOf & { program: KeptProgram },
    after: MadeOf & { program: KeptProgram },
    edits: readonly RunEdit[],
): MixedProgram {
    const { file, text, modules } = before.program;
    const texts = new Map([
        // What only the later program includes is without clauses until these are added.
        ...after.program.modules.files.map(module => [module.file, ''] as const),
        ...modules.files.map(module => [module.file, module.text] as const),
        [file, text] as const,
    ]);
    const cuts = new Map<string, Cut[]>();
    const cut = (of: string, own: Cut): void => void cuts.set(of, [...(cuts.get(of) ?? []), own]);
    for (const edit of edits.flatMap(({ clauses }) => clauses)) {
        const now = 'after' in edit ? printClause(edit.after) : '';
        if ('before' in edit) cut(edit.before.place.file, { ...rangeOf(edit.before), text: now });
        else {
            const own = texts.has(edit.after.place.file) ? edit.after.place.file : file;
            const end = texts.get(own)?.length ?? 0;
            cut(own, { start: end, end, text: `\n${now}\n` });
        }
    }
    const mixed = (name: string): string => withCuts(texts.get(name) ?? '', cuts.get(name) ?? []);
    const includes = new Map([...modules.includes, ...after.program.modules.includes].map(own => [`${own.from}\n${own.name}`, own]));
    return {
        program: {
            ...before.program,
            text: mixed(file),
            modules: {
                files: [...texts.keys()].filter(name => name !== file).map(name => ({ file: name, text: mixed(name) })),
                includes: [...includes.values()],
            },
        },
        parameters: mixedParameters(before, after, edits),
    };
}

function mixedParameters(before: MadeOf, after: MadeOf, edits: readonly RunEdit[]): ReadonlyMap<string, unknown> {
    const [old, now] = [before, after].map(({ about }) => new Map(Object.entries(about.inputs?.given ?? {})));
    const given = new Map(old);
    for (const { change } of edits) {
        if (change.kind !== 'parameter') continue;
        if (now?.has(change.name)) given.set(change.name, now.get(change.name));
        else given.delete(change.name);
    }
    return given;
}

function rangeOf({ place, span }: Clause): Pick<Cut, 'start' | 'end'> {
    return { start: place.offset + span.start, end: place.offset + span.end };
}

/** From the end on, so that places before stay; what is added at one place stays in its order. */
function withCuts(text: string, cuts: readonly Cut[]): string {
    let made = text;
    for (const { start, end, text: own } of cuts.toReversed().sort((left, right) => right.start - left.start))
        made = made.slice(0, start) + own + made.slice(end);
    return made;
}
