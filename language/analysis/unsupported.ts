import type { Unsupported } from '#language/program/analysed-program.ts';
import type { QueryLanguage } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { compareLocations } from '#language/program/span.ts';
import type { RuleFacts } from './program-facts.ts';

/** The constructs that the evaluator refuses by name, in text order. */
export function unsupportedConstructs(rules: readonly RuleFacts[]): Unsupported[] {
    return rules.flatMap(unsupportedInRule).sort(compareLocations);
}

function unsupportedInRule({ rule: { body }, place }: RuleFacts): Unsupported[] {
    switch (body.kind) {
        case 'query':
            if (body.language === 'sql') return [];
            return [{ code: 'RT062', construct: say`A ${QUERIES[body.language]()} body`, place, span: body.span }];
        case 'script':
        case 'items':
        case 'relation-function':
            return [];
    }
}

const QUERIES: Readonly<Record<Exclude<QueryLanguage, 'sql'>, () => string>> = {
    cypher: () => 'Cypher',
    vector: () => say`vector search`,
};
