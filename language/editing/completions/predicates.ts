import { textOf } from '#language/analysis/annotation-arguments.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { lastClauseStartingAt, type OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import { type Candidate, type Completion, callInsertion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import { documentationOf } from '../documentation.ts';
import { columnsSignature, isNamed, predicateSignature } from '../signatures.ts';
import { unboundAround, variableNamed } from './variables.ts';

const PREDICATE_NAME = /^[a-z]\w*$/;

/** Predicates with their terms, for an item of a body: first those with a column that is called like a variable which nothing binds yet. */
export function* atomCompletions(document: OpenDocument, offset: number, context: CompletionContext): Iterable<Candidate> {
    const unbound = unboundAround(document, offset, context);
    const isWanted = ({ columns }: Predicate): boolean => columns.some(({ name }) => unbound.has(variableNamed(name) ?? ''));
    yield* predicates(document, context, 2, unbound.size === 0 ? undefined : isWanted);
    yield* suppliedCompletions(document, context, 2);
}

/** Predicates for a head: another rule of one that exists. In a test file, first the one of which facts are expected. */
export function* headCompletions(document: OpenDocument, context: CompletionContext): Iterable<Completion | Candidate> {
    const expected = isTestFile(document.file) ? expectedAt(document, context.start) : undefined;
    for (const one of predicates(document, context, 1)) yield one.label === expected ? { ...one.build(), rank: 0 } : one;
}

/** The predicate of the expectation whose facts go on at the offset. */
function expectedAt({ analysed }: OpenDocument, offset: number): string | undefined {
    const { clauses } = analysed.program;
    for (let index = lastClauseStartingAt(clauses, offset); index >= 0; index--) {
        const annotation = clauses[index]?.annotations.at(-1);
        if (annotation !== undefined) return annotation.name === 'expect' ? textOf(annotation.arguments[0]) : undefined;
    }
    return undefined;
}

/** Names alone, for what a relation function reads. */
export function* inputCompletions(document: OpenDocument, context: CompletionContext): Iterable<Candidate> {
    for (const one of predicates(document, context, 1)) {
        const { label, rank } = one;
        yield { label, rank, build: () => ({ ...one.build(), insert: plain(label) }) };
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

/** One that is wanted comes before the others. */
function* predicates(
    document: OpenDocument,
    { range, prefix }: CompletionContext,
    usual: number,
    isWanted?: (predicate: Predicate) => boolean,
): Iterable<Candidate> {
    const { analysed } = document;
    const called = document.text.charAt(range.end) === '(';
    const first = prefix.charAt(0).toLowerCase();
    for (const { name, predicates: arities } of analysed.predicateNames()) {
        if (first !== '' && !name.toLowerCase().includes(first)) continue;
        if (!PREDICATE_NAME.test(name) || (name === prefix && isOnlyTypedHere(analysed.predicatesNamed(name)))) continue;
        const count = called ? 1 : arities.length;
        const meant = isWanted === undefined ? [] : analysed.predicatesNamed(name);
        for (let i = 0; i < count; i++) {
            const arity = meant[i];
            const rank = arity !== undefined && isWanted?.(arity) ? usual - 1 : usual;
            yield new PredicateCandidate(document, name, i, called, rank);
        }
    }
}

/** One of thousands, of which few are shown: it is a single object, without a function of its own. */
class PredicateCandidate implements Candidate {
    constructor(
        readonly document: OpenDocument,
        readonly label: string,
        readonly index: number,
        readonly called: boolean,
        readonly rank: number,
    ) {}

    build(): Completion {
        return predicateCompletion(this.document, this.label, this.index, this.called, this.rank);
    }
}

/** Names of relations that the host supplies and the text does not mention yet. */
export function* suppliedNames({ schemas, predicatesNamed }: AnalysedProgram, rank: number): Iterable<Candidate> {
    for (const [name, { columns }] of schemas) {
        if (!PREDICATE_NAME.test(name) || predicatesNamed(name).length > 0) continue;
        const { label: detail } = columnsSignature(name, columns);
        yield { label: name, rank, build: () => ({ label: name, kind: 'predicate', insert: plain(name), rank, detail }) };
    }
}

/** Relations that the host supplies and the text does not mention yet. */
function* suppliedCompletions({ analysed, text }: OpenDocument, { range, prefix }: CompletionContext, rank: number): Iterable<Candidate> {
    const called = text.charAt(range.end) === '(';
    const first = prefix.charAt(0).toLowerCase();
    for (const [name, { columns }] of analysed.schemas) {
        if (!PREDICATE_NAME.test(name) || (first !== '' && !name.toLowerCase().includes(first))) continue;
        const known = analysed.predicatesNamed(name);
        if (known.length > 0 && (name !== prefix || !isOnlyTypedHere(known))) continue;
        const build = (): Completion => ({
            label: name,
            kind: 'predicate',
            insert: called ? plain(name) : callInsertion(name, termsFor(columns.map(column => column.name))),
            rank,
            detail: columnsSignature(name, columns).label,
        });
        yield { label: name, rank, build };
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
    const names = predicate.columns.map(({ name }, index) => (isNamed(predicate, index) ? name : undefined));
    return callInsertion(predicate.name, termsFor(names));
}

/** A variable for each column that has a name which gives one. */
function termsFor(columns: readonly (string | undefined)[]): string[] {
    const taken = new Set<string>();
    return columns.map(name => {
        const variable = name === undefined ? undefined : variableNamed(name);
        if (variable === undefined || taken.has(variable)) return '_';
        taken.add(variable);
        return variable;
    });
}
