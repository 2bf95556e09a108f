import type { Problem } from '#language/program/problem.ts';
import type { AnnotationClause, BrokenClause, Clause, Fact, Rule } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';

/** A clause without its place and documentation: all that its own text says, so that equal texts share it. */
export type ClauseContent = Unplaced<Fact> | Unplaced<Rule> | Unplaced<AnnotationClause> | Unplaced<BrokenClause>;

type Unplaced<C extends Clause> = Omit<C, 'place' | 'documentation'>;

/** A problem relative to a clause that has no place yet. */
export type ClauseProblem = Omit<Problem, 'place' | 'related'>;

export interface ParsedClause {
    readonly content: ClauseContent;
    readonly problems: readonly ClauseProblem[];
}

/** The clause that `content` becomes at a place. */
export function placedClause(content: ClauseContent, place: ClausePlace, documentation: string | undefined): Clause {
    const clause = withPlace(content, place);
    return documentation === undefined ? clause : { ...clause, documentation };
}

/** Field by field: an object that is spread takes a hidden class of its own, in which V8 keeps what its fields are. */
function withPlace(content: ClauseContent, place: ClausePlace): Clause {
    const { span, annotations } = content;
    switch (content.kind) {
        case 'fact':
            return { kind: content.kind, span, annotations, atom: content.atom, place };
        case 'rule':
            return { kind: content.kind, span, annotations, head: content.head, body: content.body, place };
        case 'annotation':
            return { kind: content.kind, span, annotations, place };
        case 'broken':
            return { kind: content.kind, span, annotations, mentions: content.mentions, place };
    }
}
