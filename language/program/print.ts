import { COMPARISON_LEVEL, LEVELS, NEGATION_LEVEL } from './precedence.ts';
import { printConstant, printString } from './print-constant.ts';
import type { Annotation, AnnotationArgument, Atom, Body, Clause, Expression, Head, Item, Program, RelationCall, Rule } from './program.ts';

/**
 * The program as source text, one clause per line. Reading it gives the same program up to positions. Comments are not
 * part of a program; a clause with a syntax error is left out, because its meaning is not known.
 */
export function printProgram(program: Program): string {
    return program.clauses
        .filter(clause => clause.kind !== 'broken')
        .map(clause => `${documentationLines(clause)}${printClause(clause)}\n`)
        .join('');
}

/** One clause as source text with its annotations and final dot: `h(X, Y) <- b(X, Z), Z > 0.`; nothing for a broken one. */
export function printClause(clause: Clause): string {
    const annotations = clause.annotations.map(printAnnotation);
    switch (clause.kind) {
        case 'fact':
            return `${[...annotations, printAtom(clause.atom, SOURCE)].join(' ')}.`;
        case 'rule':
            return `${[...annotations, printRule(clause, SOURCE)].join(' ')}${clause.body.kind === 'query' && endsInComment(clause.body.text) ? '\n' : ''}.`;
        case 'annotation':
            return `${annotations.join(' ')}.`;
        case 'broken':
            return '';
    }
}

/** The canonical text of a rule, `h(X,Y) <- b(X,Z), Z>0, S=msum(Z)` (11.1, decision D-74): no annotations, no final dot. */
export function printRuleText(rule: Rule): string {
    return printRule(rule, CANONICAL);
}

/** An item of a body as source text. */
export function printItemText(item: Item): string {
    return printItem(item, SOURCE);
}

/** An atom as source text. */
export function printAtomText(atom: Atom): string {
    return printAtom(atom, SOURCE);
}

/** An expression as source text, with no more parentheses than it needs. */
export function printExpression(expression: Expression): string {
    return printAt(expression, 0, SOURCE);
}

interface Style {
    /** Around operators. */
    readonly blank: string;
    /** Between arguments. */
    readonly comma: string;
}

const SOURCE: Style = { blank: ' ', comma: ', ' };
const CANONICAL: Style = { blank: '', comma: ',' };

function documentationLines(clause: Clause): string {
    const lines = clause.documentation?.split('\n') ?? [];
    return lines.map(line => `%%${line === '' ? '' : ' '}${line}\n`).join('');
}

/** An annotation as source text, without a final dot. */
export function printAnnotation(annotation: Annotation): string {
    if (annotation.arguments.length === 0) return `@${annotation.name}`;
    return `@${annotation.name}(${annotation.arguments.map(printAnnotationArgument).join(', ')})`;
}

function printAnnotationArgument(argument: AnnotationArgument): string {
    return argument.kind === 'name' ? argument.name : printAt(argument, 0, SOURCE);
}

function printRule(rule: Rule, style: Style): string {
    return `${printHead(rule.head, style)} <- ${printBody(rule.body, style)}`;
}

function printHead(head: Head, style: Style): string {
    switch (head.kind) {
        case 'atoms':
            return head.atoms.map(atom => printAtom(atom, style)).join(', ');
        case 'equality':
            return `${head.left.name}${style.blank}=${style.blank}${printAt(head.right, 1, style)}`;
        case 'falsity':
            return '#F';
    }
}

function printBody(body: Body, style: Style): string {
    switch (body.kind) {
        case 'items':
            return body.items.map(item => printItem(item, style)).join(', ');
        case 'query':
            return style === SOURCE ? body.text : body.text.replace(/\s+/g, blanks => (/[\r\n]/.test(blanks) ? ' ' : blanks));
        case 'relation-function':
            return printRelationCall(body.call, style);
        case 'script':
            return `python:run(${printString(body.script)})`;
    }
}

/** A dot behind a `--` comment would be a part of it. */
function endsInComment(query: string): boolean {
    return query.slice(query.lastIndexOf('\n') + 1).includes('--');
}

function printRelationCall(call: RelationCall, style: Style): string {
    const input = call.input.kind === 'predicate' ? call.input.text : printString(call.input.text);
    const options = call.options === undefined ? [] : [printConstant(call.options)];
    return `#${call.name}(${[input, ...options].join(style.comma)})`;
}

function printItem(item: Item, style: Style): string {
    switch (item.kind) {
        case 'atom':
            return `${item.negated ? 'not ' : ''}${printAtom(item.atom, style)}`;
        case 'expression': {
            const text = printAt(item.expression, 0, style);
            return isReadAsAtom(item.expression) ? `(${text})` : text;
        }
        case 'domain':
            return 'dom(*)';
    }
}

/** `name(…)` alone is an atom, so a call that is one item by itself keeps its parentheses. */
function isReadAsAtom(expression: Expression): boolean {
    return expression.kind === 'call' || (expression.kind === 'aggregate' && expression.contributors === undefined);
}

function printAtom(atom: Atom, style: Style): string {
    return `${atom.predicate}(${printList(atom.arguments, style)})`;
}

function printList(items: readonly Expression[], style: Style): string {
    return items.map(item => printAt(item, 1, style)).join(style.comma);
}

/** Prints an expression as an operand of something that binds as tightly as `level`. */
function printAt(expression: Expression, level: number, style: Style): string {
    switch (expression.kind) {
        case 'binary': {
            const own = LEVELS[expression.operator];
            const associative = own !== COMPARISON_LEVEL && own !== LEVELS['='];
            const left = printAt(expression.left, associative ? own : own + 1, style);
            const right = printAt(expression.right, own + 1, style);
            return parenthesised(`${left}${printOperator(expression.operator, right, style)}${right}`, own < level);
        }
        case 'unary': {
            const own = expression.operator === '!' ? NEGATION_LEVEL : MINUS_LEVEL;
            const operand = printAt(expression.operand, own, style);
            return parenthesised(
                `${expression.operator}${parenthesised(operand, own === MINUS_LEVEL && /^\d/.test(operand))}`,
                own < level,
            );
        }
        case 'variable':
        case 'anonymous':
            return expression.name;
        case 'parameter':
            return `?${expression.name}`;
        case 'list':
            return `[${printList(expression.items, style)}]`;
        case 'set':
            return `{${printList(expression.items, style)}}`;
        case 'call':
            return `${expression.name}(${printList(expression.arguments, style)})`;
        case 'skolem':
            return `#${expression.name}(${printList(expression.arguments, style)})`;
        case 'aggregate': {
            const contributors = expression.contributors?.map(variable => variable.name).join(style.comma);
            const values = expression.arguments.map(argument => printAt(argument, 1, style));
            return `${expression.name}(${[...values, ...(contributors === undefined ? [] : [`<${contributors}>`])].join(style.comma)})`;
        }
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return printConstant(expression);
    }
}

/** Unary minus binds more tightly than every binary operator. Directly before a number it would be a part of the number. */
const MINUS_LEVEL = 9;

/** Words keep their blanks in every style, and `<` never touches a minus: that would be an arrow. */
function printOperator(operator: string, right: string, style: Style): string {
    if (operator.endsWith('in')) return ` ${operator} `;
    return `${style.blank}${operator}${operator === '<' && right.startsWith('-') ? ' ' : style.blank}`;
}

function parenthesised(text: string, needed: boolean): string {
    return needed ? `(${text})` : text;
}
