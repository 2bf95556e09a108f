import type { Problem, RelatedPlace, Severity } from '#language/program/problem.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { AGGREGATION_PROBLEMS } from './entries/aggregation.ts';
import { ANNOTATION_PROBLEMS } from './entries/annotations.ts';
import { BIND_PROBLEMS } from './entries/binds.ts';
import { EXPRESSION_PROBLEMS } from './entries/expressions.ts';
import { LOGIC_PROBLEMS } from './entries/logic.ts';
import { MODEL_PROBLEMS } from './entries/models.ts';
import { MODULE_PROBLEMS } from './entries/modules.ts';
import { NAME_PROBLEMS } from './entries/names.ts';
import { RELATION_FUNCTION_PROBLEMS } from './entries/relation-functions.ts';
import { STYLE_PROBLEMS } from './entries/style.ts';
import type { ProblemEntry } from './problem-entry.ts';
import { SYNTAX_PROBLEMS } from './syntax-catalogue.ts';

/** Every problem that this version can find, by code. A code without an entry has no check yet. */
export const PROBLEMS = {
    ...SYNTAX_PROBLEMS,
    ...NAME_PROBLEMS,
    ...LOGIC_PROBLEMS,
    ...AGGREGATION_PROBLEMS,
    ...EXPRESSION_PROBLEMS,
    ...ANNOTATION_PROBLEMS,
    ...MODEL_PROBLEMS,
    ...MODULE_PROBLEMS,
    ...BIND_PROBLEMS,
    ...RELATION_FUNCTION_PROBLEMS,
    ...STYLE_PROBLEMS,
} as const satisfies Record<`RL${number}`, ProblemEntry>;

export type ProblemCode = keyof typeof PROBLEMS;

type MessageArguments<C extends ProblemCode> = Parameters<(typeof PROBLEMS)[C]['message']>;

/** The problem with this code at a place; the arguments are those of its message. */
export function problem<C extends ProblemCode>(code: C, place: ClausePlace, span: Span, ...args: MessageArguments<C>): Problem {
    const entry: ProblemEntry = PROBLEMS[code];
    const message = entry.message as (...args: unknown[]) => string;
    return {
        code,
        severity: entry.severity,
        message: message(...args),
        place,
        span,
        ...(entry.remedy !== undefined && { remedy: entry.remedy }),
        ...(entry.tags !== undefined && { tags: entry.tags }),
    };
}

/** The problem with a remedy that fits this one place, such as the name that was probably meant. */
export function withRemedy(found: Problem, remedy: string | undefined): Problem {
    return remedy === undefined ? found : { ...found, remedy };
}

/** A remedy that says which text to write, with words behind it. */
export function withWritten<P extends Pick<Problem, 'remedy' | 'written'>>(found: P, written: string | undefined, where = ''): P {
    return written === undefined ? found : { ...found, written, remedy: `write '${written}'${where}` };
}

export function withSeverity(found: Problem, severity: Severity): Problem {
    return { ...found, severity };
}

export function withRelated(found: Problem, related: readonly RelatedPlace[]): Problem {
    return related.length === 0 ? found : { ...found, related };
}
