import { visitVariables } from '#language/analysis/occurrences.ts';
import type { Item } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';

/**
 * Builds clauses that ask a body: a rule and its output. The head has the variables of the body in the order in which they occur outside of
 * negations. A body without variables gets one column, `#T` if it holds, or none with `columnless`. Undefined for a text that is not a
 * body. The body may be written as a question: `?- p(X).` or `p(X)?`.
 */
export function queryClauses(
    program: string,
    body: string,
    { name = 'query', columnless = false }: { readonly name?: string; readonly columnless?: boolean } = {},
): { readonly predicate: string; readonly clauses: string } | undefined {
    const asked = queryBody(body);
    const [rule, ...more] = readProgram(`q() <- ${asked}.`, 'query').value.clauses;
    if (rule?.kind !== 'rule' || rule.body.kind !== 'items' || more.length > 0) return undefined;
    const names = [...new Set(rule.body.items.flatMap(variablesIn))];
    let predicate = name;
    while (new RegExp(`\\b${predicate}\\b`, 'u').test(program)) predicate += '_';
    const columns = names.length === 0 ? (columnless ? '' : '#T') : names.join(', ');
    return { predicate, clauses: `${predicate}(${columns}) <- ${asked}.\n@output("${predicate}").` };
}

/** Returns the body of a question: its text without the signs of one. */
export function queryBody(question: string): string {
    return question.trim().replace(/^\?-/u, '').replace(/[.?]$/u, '').trim();
}

function variablesIn(item: Item): string[] {
    const names: string[] = [];
    const visit = ({ name }: { readonly name: string }): void => void names.push(name);
    if (item.kind === 'expression') visitVariables(item.expression, visit);
    else if (item.kind === 'atom' && !item.negated) for (const argument of item.atom.arguments) visitVariables(argument, visit);
    return names;
}
