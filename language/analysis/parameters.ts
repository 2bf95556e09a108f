import type { Parameter } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import type { AnnotationArgument, Clause, Expression } from '#language/program/program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { textOf } from './annotation-arguments.ts';
import { isParameterAlone } from './binds.ts';
import type { ParameterUse, PlacedAnnotation } from './program-facts.ts';
import { readSourceText } from './source-text.ts';

/** Declared parameters with their defaults; the first declaration of a name counts. */
export function declaredParameters(annotations: readonly PlacedAnnotation[]): Map<string, Parameter> {
    const declared = new Map<string, Parameter>();
    for (const { annotation, place } of annotations) {
        const name = annotation.name === 'param' ? textOf(annotation.arguments[0]) : undefined;
        const value = annotation.arguments[1];
        if (name === undefined || declared.has(name)) continue;
        declared.set(name, { name, place, ...(value !== undefined && value.kind !== 'name' && { value }) });
    }
    return declared;
}

/**
 * A text with the values of parameters put in place of `${name}`; `$${` stands for itself. Numbers and strings are put
 * there, as far as they are known before a run.
 */
export function withParameterTexts(
    text: string,
    declared: ReadonlyMap<string, Parameter>,
    supplied: ReadonlyMap<string, unknown> = new Map(),
): string {
    return text.replace(PLACEHOLDER, (whole: string, literal: string | undefined, name: string | undefined) => {
        if (literal !== undefined || name === undefined) return literal ?? whole;
        const given = suppliedText(supplied.get(name));
        if (typeof given === 'string' || typeof given === 'number') return String(given);
        return constantText(declared.get(name)?.value) ?? whole;
    });
}

/** Hosts give texts as they are, or marked as no literals. */
function suppliedText(given: unknown): unknown {
    return typeof given === 'object' && given !== null && 'text' in given ? given.text : given;
}

const PLACEHOLDER = /\$(\$\{)|\$\{([A-Za-z][A-Za-z0-9_]*)\}/gu;

function constantText(value: Expression | undefined): string | undefined {
    if (value?.kind === 'string' || value?.kind === 'integer') return String(value.value);
    const operand = value?.kind === 'unary' && value.operator === '-' ? constantText(value.operand) : undefined;
    return operand === undefined ? undefined : `-${operand}`;
}

/** Every use of a parameter in a clause, in text order: `?name`, `${name}`, and `${name}` inside texts. */
export function parametersOfClause(clause: Clause): readonly ParameterUse[] {
    const uses: ParameterUse[] = [];
    collectFromClause(clause, uses);
    return uses.length === 0 ? NO_USES : uses;
}

const NO_USES: readonly ParameterUse[] = [];

function collectFromClause(clause: Clause, uses: ParameterUse[]): void {
    const { place } = clause;
    const fromExpression = (expression: Expression, lenient = false): void => collectFromExpression(expression, place, lenient, uses);
    for (const annotation of clause.annotations) {
        // Only the options of a bind may name secrets of the host.
        const isBind = annotation.name === 'bind' || annotation.name === 'qbind';
        for (const [i, argument] of annotation.arguments.entries()) {
            if (argument.kind === 'name') continue;
            const isSource = isBind && i === 1;
            fromExpression(argument, isSource);
            if (isSource && argument.kind === 'string') collectAlone(argument, place, uses);
        }
    }
    if (clause.kind === 'fact') for (const argument of clause.atom.arguments) fromExpression(argument);
    if (clause.kind !== 'rule') return;
    if (clause.head.kind === 'atoms') for (const atom of clause.head.atoms) for (const argument of atom.arguments) fromExpression(argument);
    if (clause.head.kind === 'equality') fromExpression(clause.head.right);
    const { body } = clause;
    switch (body.kind) {
        case 'items':
            for (const item of body.items) {
                if (item.kind === 'atom') for (const argument of item.atom.arguments) fromExpression(argument);
                if (item.kind === 'expression') fromExpression(item.expression);
            }
            return;
        case 'query':
            for (const match of body.text.matchAll(IN_QUERY)) {
                uses.push({ name: match[1] ?? match[2] ?? '', place, span: body.span, lenient: true });
            }
            return;
        case 'relation-function': {
            if (body.call.options !== undefined) fromExpression(body.call.options);
            const query = sqlOf(clause);
            for (const match of query?.text.matchAll(IN_QUERY) ?? [])
                uses.push({ name: match[1] ?? match[2] ?? '', place, span: body.call.input.span, lenient: true });
            return;
        }
        case 'script':
            return;
    }
}

const IN_QUERY = /\?([A-Za-z][A-Za-z0-9_]*)|\$\{([A-Za-z][A-Za-z0-9_]*)\}/gu;

/** Collects parameters that are a whole option of a bind, or its whole type: these cannot be secrets. */
function collectAlone({ value, span }: Extract<Expression, { kind: 'string' }>, place: ClausePlace, uses: ParameterUse[]): void {
    if (!value.includes('${')) return;
    const { type, options } = readSourceText(value);
    for (const { text } of [type, ...options.map(({ key }) => key)])
        if (isParameterAlone(text)) uses.push({ name: text.slice(2, -1), place, span, lenient: false });
}

/** Prompts name variables and columns too, so that uses inside them are lenient. */
export const PROMPTS: ReadonlySet<string> = new Set(['llm:generate', 'ask']);

function collectFromExpression(expression: Expression, place: ClausePlace, lenient: boolean, uses: ParameterUse[]): void {
    if (expression.kind === 'parameter') uses.push({ name: expression.name, place, span: expression.span, lenient: false });
    if (expression.kind === 'string' && expression.value.includes('${')) collectFromText(expression, place, lenient, uses);
    const inside = lenient || (expression.kind === 'call' && PROMPTS.has(expression.name));
    for (const part of partsOf(expression)) collectFromExpression(part, place, inside, uses);
}

function collectFromText(
    text: Extract<AnnotationArgument, { kind: 'string' }>,
    place: ClausePlace,
    lenient: boolean,
    uses: ParameterUse[],
): void {
    const exact = text.span.end - text.span.start === text.value.length + 2;
    for (const match of text.value.matchAll(/(?<!\$)\$\{([A-Za-z][A-Za-z0-9_]*)\}/gu)) {
        const start = text.span.start + 1 + match.index;
        const span: Span = exact ? { start, end: start + match[0].length } : text.span;
        uses.push({ name: match[1] ?? '', place, span, lenient });
    }
}
