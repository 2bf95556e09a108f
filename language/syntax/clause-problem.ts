import { PROBLEMS, type ProblemCode } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { translated } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import type { ClauseProblem } from './parsed-clause.ts';

type MessageArguments<C extends ProblemCode> = Parameters<(typeof PROBLEMS)[C]['message']>;

/** The problem with this code in a clause that has no place yet; the arguments are those of its message. */
export function clauseProblem<C extends ProblemCode>(code: C, span: Span, ...args: MessageArguments<C>): ClauseProblem {
    const entry: ProblemEntry = PROBLEMS[code];
    const message = entry.message as (...args: unknown[]) => string;
    const found = {
        code,
        severity: entry.severity,
        message: message(...args),
        span: { start: span.start, end: span.end },
        ...(args.length > 0 && { arguments: args }),
    };
    return entry.remedy === undefined ? found : { ...found, remedy: translated(entry.remedy) };
}
