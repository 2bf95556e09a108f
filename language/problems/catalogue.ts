import type { Cast, HelperPredicate, Instead, Problem, RelatedPlace, Severity, Suggestion } from '#language/program/problem.ts';
import { translated } from '#language/program/say.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { AGGREGATION_PROBLEMS } from './entries/aggregation.ts';
import { ANNOTATION_PROBLEMS } from './entries/annotations.ts';
import { BIND_PROBLEMS } from './entries/binds.ts';
import { EXPRESSION_PROBLEMS } from './entries/expressions.ts';
import { LOGIC_PROBLEMS } from './entries/logic.ts';
import { MODEL_PROBLEMS } from './entries/models.ts';
import { MODULE_PROBLEMS } from './entries/modules.ts';
import { NAME_PROBLEMS } from './entries/names.ts';
import { QUERY_PROBLEMS } from './entries/queries.ts';
import { RELATION_FUNCTION_PROBLEMS } from './entries/relation-functions.ts';
import { SCRIPT_PROBLEMS } from './entries/scripts.ts';
import { STYLE_PROBLEMS } from './entries/style.ts';
import type { ProblemEntry } from './problem-entry.ts';
import { remedyOf, removal } from './remedies.ts';
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
    ...QUERY_PROBLEMS,
    ...RELATION_FUNCTION_PROBLEMS,
    ...SCRIPT_PROBLEMS,
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
        ...(entry.remedy !== undefined && { remedy: translated(entry.remedy) }),
        ...(entry.tags !== undefined && { tags: entry.tags }),
    };
}

/** Returns the values in the message of a problem with this code. */
export function argumentsOf<C extends ProblemCode>(found: Problem, _code: C): MessageArguments<C> {
    return (found.arguments ?? []) as unknown as MessageArguments<C>;
}

/** The problem with a remedy that fits this one place. */
export function withRemedy(found: Problem, remedy: string | undefined): Problem {
    return remedy === undefined ? found : { ...found, remedy };
}

/** Adds a remedy as data to a problem, with the words given or those of its kind. */
export function suggesting<P extends Suggestible>(found: P, suggestion: Suggestion, remedy = remedyOf(suggestion)): P {
    return { ...found, suggestion, remedy };
}

type Suggestible = Pick<Problem, 'remedy' | 'suggestion'>;

/** A remedy that names what was probably meant. */
export function withMeant<P extends Suggestible>(found: P, name: string | undefined): P {
    return name === undefined ? found : suggesting(found, { kind: 'meant', name });
}

/** A remedy that says which text to write, with words behind it. */
export function withWritten<P extends Suggestible>(found: P, text: string | undefined, where = ''): P {
    if (text === undefined) return found;
    const suggestion: Suggestion = { kind: 'write', text };
    return suggesting(found, suggestion, `${remedyOf(suggestion)}${where}`);
}

/** A remedy that says which function makes a value of the right type. */
export function withCast<P extends Suggestible>(found: P, to: Cast | undefined, remedy?: string): P {
    return to === undefined ? found : suggesting(found, { kind: 'cast', to }, remedy);
}

/** The problem of a form for which a text stands, or nothing and the reason or an annotation. */
export function withForm<P extends Suggestible>(found: P, text: string, instead: Instead = ''): P {
    if (text !== '') return suggesting(found, { kind: 'form', text });
    if (typeof instead !== 'string') return suggesting(found, { kind: 'form', text, annotation: instead });
    return suggesting(found, { kind: 'form', text }, removal(instead));
}

/** A problem whose remedy is to ask for the absence of a helper predicate. */
export function withHelper<P extends Suggestible>(found: P, helper: HelperPredicate): P {
    return suggesting(found, { ...helper, kind: 'helper' });
}

export function withSeverity(found: Problem, severity: Severity): Problem {
    return { ...found, severity };
}

export function withRelated(found: Problem, related: readonly RelatedPlace[]): Problem {
    return related.length === 0 ? found : { ...found, related };
}
