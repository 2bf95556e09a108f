import type { HelperPredicate, Instead, Problem, RelatedPlace, Severity } from '#language/program/problem.ts';
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
        ...(args.length > 0 && { arguments: args }),
        ...(entry.remedy !== undefined && { remedy: entry.remedy }),
        ...(entry.tags !== undefined && { tags: entry.tags }),
    };
}

/** What the message of a problem with this code was made of. */
export function argumentsOf<C extends ProblemCode>(found: Problem, _code: C): MessageArguments<C> {
    return (found.arguments ?? []) as unknown as MessageArguments<C>;
}

/** The problem with a remedy that fits this one place. */
export function withRemedy(found: Problem, remedy: string | undefined): Problem {
    return remedy === undefined ? found : { ...found, remedy };
}

/** A remedy that names what was probably meant. */
export function withMeant<P extends Pick<Problem, 'remedy' | 'meant'>>(found: P, name: string | undefined): P {
    return name === undefined ? found : { ...found, meant: name, remedy: `did you mean '${name}'?` };
}

/** A remedy that says which text to write, with words behind it. */
export function withWritten<P extends Pick<Problem, 'remedy' | 'written'>>(found: P, written: string | undefined, where = ''): P {
    return written === undefined ? found : { ...found, written, remedy: `write '${written}'${where}` };
}

/** The problem of a form for which a text stands, or nothing and the reason or an annotation. */
export function withForm<P extends Pick<Problem, 'remedy' | 'form'>>(problem: P, text: string, instead: Instead = ''): P {
    if (text !== '') return { ...problem, form: { text }, remedy: `write '${text}'` };
    if (typeof instead === 'string') return { ...problem, form: { text }, remedy: `remove it: ${instead}` };
    const remedy = `remove it: write '${instead.text}' as a clause of its own`;
    return { ...problem, form: { text, annotation: instead }, remedy };
}

/** A problem whose remedy is to ask for the absence of a helper predicate. */
export function withHelper<P extends Pick<Problem, 'remedy' | 'helper'>>(problem: P, helper: HelperPredicate): P {
    const { name, terms, body } = helper;
    const atom = `${name}(${terms})`;
    return { ...problem, helper, remedy: `write 'not ${atom}' and '${atom} <- ${body}.' as a clause of its own` };
}

export function withSeverity(found: Problem, severity: Severity): Problem {
    return { ...found, severity };
}

export function withRelated(found: Problem, related: readonly RelatedPlace[]): Problem {
    return related.length === 0 ? found : { ...found, related };
}
