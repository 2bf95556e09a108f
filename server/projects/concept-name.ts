import { say } from '#language/program/say.ts';
import type { ConceptDefinition } from '#language/tools/concept-definition.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { NAME_PATTERN } from '#server/protocol/platform/schema.ts';

/**
 * The name of a logic concept, which is that of its output predicate: the one that was asked for, else its only `@output`, else
 * the only predicate that has rules. `no_output_predicate` or `ambiguous_output_predicate` where there is none.
 */
export function conceptName(wanted: string | undefined, { heads, outputs, ruleHeads }: ConceptDefinition): string {
    const name = wanted ?? onlyOutput(outputs) ?? onlyRuleHead(ruleHeads);
    if (!heads.includes(name)) throw apiError('no_output_predicate', [say`'${name}' heads no rule or fact of the definition`]);
    if (!new RegExp(NAME_PATTERN, 'u').test(name))
        throw apiError('no_output_predicate', [say`'${name}' is no name for a concept: it may have 128 letters, digits and '_'`]);
    return name;
}

function onlyOutput(outputs: readonly string[]): string | undefined {
    if (outputs.length > 1) throw apiError('ambiguous_output_predicate', [outputs], { details: { outputs } });
    return outputs[0];
}

function onlyRuleHead(ruleHeads: readonly string[]): string {
    const [only, ...others] = ruleHeads;
    if (only === undefined) throw apiError('no_output_predicate', [say`the definition has no @output and no rule`]);
    if (others.length === 0) return only;
    throw apiError('no_output_predicate', [say`the definition has no @output, and rules for several predicates (${ruleHeads.join(', ')})`]);
}
