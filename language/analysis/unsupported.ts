import { isGraphFunction } from '#language/library/relation-options.ts';
import type { Unsupported } from '#language/program/analysed-program.ts';
import { type ClausePlace, compareLocations, type Span } from '#language/program/span.ts';
import type { RuleFacts } from './program-facts.ts';

/** The constructs that the evaluator refuses by name (RT065), in text order. */
export function unsupportedConstructs(rules: readonly RuleFacts[]): Unsupported[] {
    return rules.flatMap(unsupportedInRule).sort(compareLocations);
}

function unsupportedInRule({ rule, place }: RuleFacts): Unsupported[] {
    const found: Unsupported[] = [];
    const add = (construct: string, span: Span, at: ClausePlace = place): void => {
        found.push({ construct, place: at, span });
    };
    switch (rule.body.kind) {
        case 'query':
            add(`${rule.body.language} body`, rule.body.span);
            break;
        case 'relation-function':
            if (isGraphFunction(rule.body.call.name) && rule.body.call.input.kind === 'predicate') break;
            add(`relation function '#${rule.body.call.name}'`, rule.body.call.span);
            break;
        case 'script':
            add("script run 'python:run'", rule.body.span);
            break;
        case 'items':
            break;
    }
    return found;
}
