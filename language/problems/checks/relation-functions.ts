import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import { writtenOptions } from '#language/analysis/relation-calls.ts';
import { projectedColumns, readModelQuestion } from '#language/library/model-question.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { GRAPH_FUNCTIONS, isGraphFunction, type OptionProblem } from '#language/library/relation-options.ts';
import { type GraphFunctionName, inputColumns, resultColumns } from '#language/library/relation-question.ts';
import type { Problem } from '#language/program/problem.ts';
import type { RelationCall } from '#language/program/program.ts';
import { problem, withMeant } from '../catalogue.ts';

/** Relation functions: their names (RL7113), inputs (RL7109, RL7110), options (RL7103 to RL7107, RL7111) and columns (RL7101). */
export function* checkRelationFunctions(facts: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const { rule, place } = facts;
    if (rule.body.kind !== 'relation-function') return;
    const { call } = rule.body;
    if (!isGraphFunction(call.name)) {
        if (call.name === 'LLM') {
            yield problem('RL5021', place, { start: call.span.start, end: call.span.start + '#LLM'.length }, '#LLM');
            yield* checkModelCall(facts, call, meaningOf);
        } else yield unknownFunction(facts, call);
        return;
    }
    yield* checkInput(facts, call, call.name, inputWidth(facts, call, meaningOf));
    const options = writtenOptions(call);
    for (const found of options?.problems ?? []) yield optionProblem(facts, call, found);
    const [head, second] = facts.resolved.heads;
    if (options?.question === undefined || head === undefined || second !== undefined) return;
    const columns = resultColumns(options.question);
    const { length } = head.atom.arguments;
    if (length !== columns.length) yield problem('RL7101', place, head.atom.span, `#${call.name}`, columns, length);
}

/** The prompts, options and columns of `#LLM`: RL7101, RL7103 to RL7107, RL7122 to RL7124. */
function* checkModelCall(facts: RuleFacts, call: RelationCall, meaningOf: Meanings): Iterable<Problem> {
    const { place, resolved } = facts;
    const text = call.options?.value ?? '';
    if (text.includes('${')) return;
    const columns = inputWidth(facts, call, meaningOf);
    const { question, problems } = readModelQuestion(text, columns);
    const at = call.options?.span ?? call.span;
    for (const found of problems) {
        switch (found.code) {
            case 'RL7122':
            case 'RL7123':
                yield problem(found.code, place, at, found.count);
                break;
            case 'RL7124':
                yield problem(found.code, place, at);
                break;
            default:
                yield optionProblem(facts, call, found);
        }
    }
    const [head, second] = resolved.heads;
    if (question === undefined || head === undefined || second !== undefined || columns === undefined) return;
    const names = projectedColumns(question, columns).map(({ kind, index }) => `${kind}_${index}`);
    const { length } = head.atom.arguments;
    if (length !== names.length) yield problem('RL7101', place, head.atom.span, '#LLM', names, length);
}

function unknownFunction({ place }: RuleFacts, { name, span }: RelationCall): Problem {
    const nameSpan = { start: span.start, end: span.start + name.length + 1 };
    const nearest = nearestName(name, [...GRAPH_FUNCTIONS, 'LLM']);
    return withMeant(problem('RL7113', place, nameSpan, `#${name}`), nearest && `#${nearest}`);
}

/** The columns of what a function reads, where that is known. */
function inputWidth({ query }: RuleFacts, { input }: RelationCall, meaningOf: Meanings): number | undefined {
    if (input.kind === 'query') return query?.width;
    const meaning = meaningOf(input.text);
    return meaning === undefined || meaning.openColumns || meaning.possiblyDefined ? undefined : meaning.arities.at(-1);
}

function* checkInput({ place }: RuleFacts, { input }: RelationCall, name: GraphFunctionName, arity: number | undefined): Iterable<Problem> {
    if (arity === undefined) return;
    const needed = inputColumns(name);
    if (arity < needed) yield problem('RL7109', place, input.span, `#${name}`, needed, input.kind === 'query' ? '' : input.text, arity);
    // Weights do not matter to a search by steps, but may be there (7.2).
    if (arity > (name === 'BFS' ? 3 : needed)) yield problem('RL7110', place, input.span, `#${name}`, needed);
}

function optionProblem({ place }: RuleFacts, { name, options, span }: RelationCall, found: OptionProblem): Problem {
    const at = options?.span ?? span;
    switch (found.code) {
        case 'RL7103':
            return withMeant(problem('RL7103', place, at, found.key, `#${name}`), found.nearest);
        case 'RL7104':
            return problem('RL7104', place, at, found.key);
        case 'RL7105':
            return problem('RL7105', place, at, found.key, found.expected);
        case 'RL7106':
            return problem('RL7106', place, at, found.first, found.second);
        case 'RL7107':
            return problem('RL7107', place, at, `#${name}`, found.key);
        case 'RL7111':
            return problem('RL7111', place, at);
    }
}
