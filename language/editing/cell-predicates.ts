import { textOf } from '#language/analysis/annotation-arguments.ts';
import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Annotation, Clause } from '#language/program/program.ts';

/** The predicates that a part of a program is there to show: its outputs, and where it has none, all that it defines or reads from a source. */
export function cellPredicates({ program: { clauses } }: Pick<OpenDocument, 'program'>, { start, end }: TextRange): readonly string[] {
    const own = clauses.filter(clause => {
        const range = rangeOf({ place: clause.place, span: clause.span });
        return range.start < end && range.end > start;
    });
    const outputs = own.flatMap(clause => named(clause, ['output']));
    return [
        ...new Set(
            outputs.length > 0 ? outputs : own.flatMap(clause => [...named(clause, ['bind', 'qbind', 'input']), ...defined(clause)]),
        ),
    ];
}

/** The predicates of annotations of these names. */
function named({ annotations }: Clause, names: readonly string[]): readonly string[] {
    const predicateOf = ({ name, arguments: [first] }: Annotation): string | undefined =>
        names.includes(name) ? textOf(first) : undefined;
    return annotations.flatMap(annotation => predicateOf(annotation) ?? []);
}

/** The predicates that a clause gives facts. */
export function defined(clause: Clause): readonly string[] {
    if (clause.kind === 'fact') return [clause.atom.predicate];
    return clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms.map(({ predicate }) => predicate) : [];
}
