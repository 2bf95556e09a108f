import { conceptDefinition } from '#language/tools/concept-definition.ts';
import type { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import { LIMITS } from '#server/tools/limits.ts';
import type { editorTools } from './editor-tools.ts';

type Methods = typeof AGENT_TOOL_METHODS;

/** Rows of a predicate that are counted. */
const MOST = LIMITS.rows.most;

/** Evaluates a program with rules that a model has written and nobody has seen, for what they derive. */
export async function triedRules(
    tools: ReturnType<typeof editorTools>,
    { uri, program, rules }: ParamsOf<Methods, 'rulelang/tryRules'>,
    signal: AbortSignal,
): Promise<ResultOf<Methods, 'rulelang/tryRules'>> {
    const [own, whole] = [conceptDefinition(rules), conceptDefinition(program)];
    const names = own.ok ? own.value.ruleHeads : [];
    if (names.length === 0) return { predicates: [], most: MOST };
    const outputs = new Set(whole.ok ? whole.value.outputs : []);
    const added = names.filter(name => !outputs.has(name)).map(name => `@output("${name}").`);
    const input = { program: [program, ...added].join('\n'), outputs: names, limit: MOST };
    const { text, isError } = await tools({ name: 'run', input, unseen: true, uri }, signal);
    if (isError) return { most: MOST, reason: text };
    // After the rows may stand remarks of the command.
    const [json = ''] = text.split(/\n\n(?=\S)/u);
    const { resultSet } = JSON.parse(json) as { readonly resultSet: Readonly<Record<string, readonly unknown[]>> };
    return { predicates: names.map(name => ({ name, rows: resultSet[name]?.length ?? 0 })), most: MOST };
}
