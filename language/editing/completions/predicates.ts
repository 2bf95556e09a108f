import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import { type Candidate, type Completion, callInsertion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import { documentationOf } from '../documentation.ts';
import { isNamed, predicateSignature } from '../signatures.ts';
import { variableNamed } from './variables.ts';

/** Predicates with their terms, for an item of a body. */
export function* atomCompletions(document: OpenDocument, context: CompletionContext): Iterable<Candidate> {
    yield* predicates(document, context, 2);
}

/** Predicates for a head: another rule of one that exists. */
export function* headCompletions(document: OpenDocument, context: CompletionContext): Iterable<Candidate> {
    yield* predicates(document, context, 1);
}

/** Names alone, for what a relation function reads. */
export function* inputCompletions(document: OpenDocument, context: CompletionContext): Iterable<Candidate> {
    for (const { label, rank, build } of predicates(document, context, 1)) {
        yield { label, rank, build: () => ({ ...build(), insert: plain(label) }) };
    }
}

/** The name of a predicate without terms. */
export function nameCompletion({ predicatesNamed }: AnalysedProgram, name: string, rank: number): Candidate {
    const build = (): Completion => {
        const [predicate] = predicatesNamed(name);
        const detail = predicate && predicateSignature(predicate).label;
        return { label: name, kind: 'predicate', insert: plain(name), rank, ...(detail !== undefined && { detail }) };
    };
    return { label: name, rank, build };
}

function* predicates(document: OpenDocument, { range, prefix }: CompletionContext, rank: number): Iterable<Candidate> {
    const { analysed } = document;
    const called = document.text.charAt(range.end) === '(';
    const first = prefix.charAt(0).toLowerCase();
    for (const { name, predicates: arities } of analysed.predicateNames()) {
        if (first !== '' && !name.toLowerCase().includes(first)) continue;
        if (!/^[a-z]\w*$/.test(name) || (name === prefix && isOnlyTypedHere(analysed.predicatesNamed(name)))) continue;
        const count = called ? 1 : arities.length;
        for (let i = 0; i < count; i++) yield { label: name, rank, build: () => predicateCompletion(document, name, i, called, rank) };
    }
}

/** A name that nothing but the word being typed gives. */
export function isOnlyTypedHere(arities: readonly Predicate[]): boolean {
    return arities.every(
        ({ facts, rules, inputBinds, model }) => facts.length + rules.length + inputBinds.length === 0 && model === undefined,
    );
}

function predicateCompletion({ analysed }: OpenDocument, name: string, index: number, called: boolean, rank: number): Completion {
    const predicate = analysed.predicatesNamed(name)[index];
    const documentation = predicate && documentationOf(analysed, predicate);
    return {
        label: name,
        kind: 'predicate',
        insert: called || predicate === undefined ? plain(name) : atomInsertion(predicate),
        rank,
        ...(predicate !== undefined && { detail: predicateSignature(predicate).label }),
        ...(documentation !== undefined && { documentation: documentation.markdown }),
        ...(documentation?.deprecated && { deprecated: true }),
    };
}

/** The predicate's name with a term for each column, named after it where it has a name. */
function atomInsertion(predicate: Predicate): Insertion {
    const taken = new Set<string>();
    const terms = predicate.columns.map(({ name }, index) => {
        const variable = isNamed(predicate, index) ? variableNamed(name) : undefined;
        if (variable === undefined || taken.has(variable)) return '_';
        taken.add(variable);
        return variable;
    });
    return callInsertion(predicate.name, terms);
}
