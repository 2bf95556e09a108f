import { visitVariables } from '#language/analysis/occurrences.ts';
import type { Item } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { ToolMisuse } from './tool.ts';

/**
 * Clauses that ask a body: a rule whose head has the variables of the body in the order in which they occur outside of negations, and the
 * output that it is. A body without variables has one column, which is `#T` where it holds.
 */
export function queryClauses(program: string, body: string): { readonly predicate: string; readonly clauses: string } {
    const asked = body.trim().replace(/\.$/u, '');
    const [rule, ...more] = readProgram(`q() <- ${asked}.`, 'query').value.clauses;
    if (rule?.kind !== 'rule' || rule.body.kind !== 'items' || more.length > 0)
        throw new ToolMisuse(say`'${asked}' is no body of a rule: write atoms and conditions with commas between them`);
    const names = [...new Set(rule.body.items.flatMap(variablesIn))];
    let predicate = 'query';
    while (new RegExp(`\\b${predicate}\\b`, 'u').test(program)) predicate += '_';
    const columns = names.length === 0 ? '#T' : names.join(', ');
    return { predicate, clauses: `${predicate}(${columns}) <- ${asked}.\n@output("${predicate}").` };
}

function variablesIn(item: Item): string[] {
    const names: string[] = [];
    const visit = ({ name }: { readonly name: string }): void => void names.push(name);
    if (item.kind === 'expression') visitVariables(item.expression, visit);
    else if (item.kind === 'atom' && !item.negated) for (const argument of item.atom.arguments) visitVariables(argument, visit);
    return names;
}
