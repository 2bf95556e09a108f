import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readProgram } from '#language/read-program.ts';
import { type BindEntry, parseBinds } from './parse-binds.ts';
import { interfaceOf, type Tool, unreadPredicates } from './program-interface.ts';

/** The outputs of a program, and the parts of the world outside that a run of it touches. */
export interface ProgramEffects {
    /** Predicates that are marked with `@output`, each once. */
    readonly outputs: readonly string[];
    /** Predicates that it derives for no other predicate. */
    readonly unread: readonly string[];
    /** Predicates that it reads and neither derives nor binds. */
    readonly reads: readonly string[];
    /** Sources that it reads, and those that it writes. */
    readonly input: readonly BindEntry[];
    readonly output: readonly BindEntry[];
    /** Whether it may run Python, or ask a language model: it is not told that it does where a text or comment looks like it. */
    readonly python: boolean;
    readonly model: boolean;
}

/**
 * Finds the effects of a program without running it; binds of `outputPredicate` are outputs, too. A program with syntax errors has its problems
 * instead.
 */
export function programEffects(text: string, outputPredicate?: string): Tool<ProgramEffects> {
    const parsed = parseBinds(text, outputPredicate);
    if (!parsed.ok) return parsed;
    const program = readProgram(text, '').value;
    const bound = new Set(parsed.value.binds.input.map(({ predicate }) => predicate));
    const outputs = namedAnnotations(placedAnnotations(program), 'output').map(({ predicate }) => predicate);
    return {
        ok: true,
        value: {
            ...parsed.value.binds,
            reads: interfaceOf(program).inputPredicates.filter(name => !bound.has(name)),
            outputs: [...new Set(outputs)],
            unread: unreadPredicates(program),
            python: /\bpython\s*:/u.test(text),
            model: /\b(?:llm|embeddings)\s*:|#LLM\b|@implement\b/u.test(text),
        },
    };
}
