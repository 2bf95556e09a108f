import { basename } from 'node:path';
import { withModules } from '#language/modules/include.ts';
import { allClauses } from '#language/program/inclusion.ts';
import { printClause } from '#language/program/print.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { type ClauseEdit, clauseDifference, subjectOf } from '#language/tools/clause-difference.ts';
import type { Change, RunDifference, SourceChange } from '#server/protocol/run-difference.ts';
import type { KeptAbout, SourceState } from '#server/protocol/run-process.ts';
import { namingSecrets } from '#server/secrets/without-secrets.ts';
import { grouped } from '#server/sources/grouped.ts';
import type { KeptProgram } from './kept-program.ts';
import { findRunModules } from './run-modules.ts';

/** The inputs of a run, as far as they are kept. */
export interface MadeOf {
    readonly about: Pick<KeptAbout, 'parameters' | 'inputs'>;
    readonly program: KeptProgram | undefined;
}

/** Something that was done to a program or to what it is given, and can be done alone. */
export interface RunEdit {
    readonly change: Change;
    readonly clauses: readonly ClauseEdit[];
}

/** More edits than this are put together by what they are about. */
const MOST_SINGLE = 24;
const LONGEST_TEXT = 2000;

/** Lists the edits from one run to another. */
export function runEdits(before: MadeOf, after: MadeOf): RunEdit[] {
    const given = parameterChanges(before, after).map((change): RunEdit => ({ change, clauses: [] }));
    if (before.program === undefined || after.program === undefined) return given;
    const edits = clauseDifference(clausesOf(before.program), clausesOf(after.program));
    if (edits.length <= MOST_SINGLE) return [...given, ...edits.map(edit => single(edit, after.program?.file))];
    const groups = grouped(edits, edit => subjectOf('after' in edit ? edit.after : edit.before));
    return [...given, ...Array.from(groups, ([subject, group]) => together(subject, group, after.program?.file))];
}

/** Lists the differences between the inputs of two runs. */
export function runDifference(before: MadeOf, after: MadeOf): RunDifference {
    return {
        changes: runEdits(before, after).map(({ change }) => change),
        sources: sourceChanges(before.about.inputs?.sources ?? [], after.about.inputs?.sources ?? []),
        known: before.program !== undefined && after.program !== undefined,
    };
}

/** Lists the sources of both that changed, and sources of either whose state is unknown. */
export function sourceChanges(before: readonly SourceState[], after: readonly SourceState[]): SourceChange[] {
    const [old, current] = [before, after].map(sources => new Map(sources.map(source => [source.name, source])));
    return [...new Set([...before, ...after].map(({ name }) => name))].flatMap((name): SourceChange[] => {
        const [was, now] = [old?.get(name), current?.get(name)];
        const isUnknown = [was, now].some(source => source !== undefined && source.stamp === undefined);
        if (isUnknown) return [{ name, kind: 'unknown' }];
        if (was === undefined || now === undefined || isSame(was, now)) return [];
        return [
            {
                name,
                kind: 'changed',
                ...(was.bytes !== undefined && { before: was.bytes }),
                ...(now.bytes !== undefined && { after: now.bytes }),
            },
        ];
    });
}

/** The first clause of a program that prints so, or that is about this; passwords count as they are kept. */
export function clauseLike(program: Program, text: string): Clause | undefined {
    const clauses = allClauses(program);
    return (
        clauses.find(clause => shortened(namingSecrets(printClause(clause))) === text) ?? clauses.find(clause => subjectOf(clause) === text)
    );
}

/** The clauses of a program and of its modules. */
function clausesOf({ text, file, modules }: KeptProgram): readonly Clause[] {
    const { value } = readProgram(text, file);
    return allClauses(withModules(value, findRunModules(modules, value)));
}

/** A digest says more than the moment of a change. */
function isSame(was: SourceState, now: SourceState): boolean {
    return was.digest !== undefined && now.digest !== undefined ? was.digest === now.digest : was.stamp === now.stamp;
}

function parameterChanges(before: MadeOf, after: MadeOf): Extract<Change, { kind: 'parameter' }>[] {
    const [old, now] = [given(before), given(after)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap(name => {
        const [was, is] = [old.get(name) ?? used(before, name), now.get(name) ?? used(after, name)];
        if (was === is) return [];
        return [{ kind: 'parameter', name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
    });
}

/** Returns the parameters of a run, as they print. */
function given(of: MadeOf): Map<string, string> {
    const values = Object.entries(of.about.inputs?.given ?? {});
    return new Map(values.map(([name, value]) => [name, used(of, name) ?? JSON.stringify(value)]));
}

function used({ about }: MadeOf, name: string): string | undefined {
    return about.parameters?.find(parameter => parameter.name === name)?.text;
}

function single(edit: ClauseEdit, program: string | undefined): RunEdit {
    const { file } = ('after' in edit ? edit.after : edit.before).place;
    const change: Change = {
        kind: edit.kind,
        ...('before' in edit && { before: shortened(printClause(edit.before)) }),
        ...('after' in edit && { after: shortened(printClause(edit.after)) }),
        ...(file !== program && { module: basename(file) }),
    };
    return { change, clauses: [edit] };
}

function together(subject: string, edits: readonly ClauseEdit[], program: string | undefined): RunEdit {
    const [only, ...more] = edits;
    if (only !== undefined && more.length === 0) return single(only, program);
    const count = (kind: ClauseEdit['kind']): number => edits.filter(edit => edit.kind === kind).length;
    return {
        change: { kind: 'clauses', subject, added: count('added'), removed: count('removed'), changed: count('changed') },
        clauses: edits,
    };
}

function shortened(text: string): string {
    return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
