import { isGraphFunction } from '#language/library/relation-options.ts';
import type { Unsupported } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { PlacedAnnotation, RuleFacts } from './program-facts.ts';

const UNSUPPORTED_ANNOTATIONS: ReadonlySet<string> = new Set([
    'include',
    'module',
    'chase',
    'explain',
    'delete',
    'update',
    'qbind',
    'mapping',
]);

/** The constructs that the evaluator refuses by name (RT065), in text order. */
export function unsupportedConstructs(annotations: readonly PlacedAnnotation[], rules: readonly RuleFacts[]): Unsupported[] {
    const fromAnnotations = annotations
        .filter(({ annotation }) => UNSUPPORTED_ANNOTATIONS.has(annotation.name))
        .map(({ annotation, place }) => ({ construct: `@${annotation.name}`, place, span: annotation.nameSpan }));
    return [...fromAnnotations, ...rules.flatMap(unsupportedInRule)].sort(
        (a, b) => a.place.offset - b.place.offset || a.span.start - b.span.start,
    );
}

function unsupportedInRule({ rule, resolved, occurrences, place, items }: RuleFacts): Unsupported[] {
    const found: Unsupported[] = [];
    const add = (construct: string, span: Span, at: ClausePlace = place): void => {
        found.push({ construct, place: at, span });
    };
    if (rule.head.kind === 'equality') add('equality head', rule.head.span);
    if (rule.head.kind === 'falsity') add('constraint', rule.head.span);
    for (const name of resolved.existential) {
        const first = occurrences.get(name)?.find(occurrence => occurrence.where === 'head');
        if (first !== undefined) add(`existential head variable '${name}'`, first.variable.span);
    }
    if (rule.body.kind !== 'relation-function') {
        for (const term of resolved.heads.flatMap(({ atom }) => atom.arguments)) {
            if (term.kind === 'anonymous') add('anonymous head variable', term.span);
        }
    }
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
    for (const item of items) if (item.kind === 'domain') add("'dom(*)'", item.span);
    const visit = (expression: Expression): void =>
        visitExpression(expression, part => {
            if (part.kind === 'skolem') add(`Skolem term '#${part.name}'`, part.span);
        });
    for (const condition of resolved.conditions) visit(condition.expression);
    for (const assignment of resolved.assignments) visit(assignment.value);
    return found;
}
