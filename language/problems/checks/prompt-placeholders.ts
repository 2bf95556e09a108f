import type { Declarations } from '#language/analysis/declarations.ts';
import { PROMPTS } from '#language/analysis/parameters.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf, visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** `${X}` in a prompt where `X` is a variable of the rule and a parameter too: RL8005 (1.9). */
export function* checkPromptPlaceholders({ place, expressions, occurrences }: RuleFacts, { parameters }: Declarations): Iterable<Problem> {
    for (const { expression } of expressions) {
        const prompts: Expression[] = [];
        visitExpression(expression, part => {
            if (part.kind === 'call' && PROMPTS.has(part.name)) prompts.push(...partsOf(part));
        });
        for (const prompt of prompts) {
            if (prompt.kind !== 'string') continue;
            for (const [, name = ''] of prompt.value.matchAll(/(?<!\$)\$\{([A-Za-z][A-Za-z0-9_]*)\}/gu)) {
                if (occurrences.has(name) && parameters.has(name)) yield problem('RL8005', place, prompt.span, name);
            }
        }
    }
}
