import type { Span } from '#language/program/span.ts';
import type { ClauseProblem } from './parsed-clause.ts';

/**
 * A problem inside a form that SQL or another dialect of Datalog has: what it marks is the whole form then, and its remedy
 * says how the same is written here.
 */
export function withForeignForm(problem: ClauseProblem, clause: string): ClauseProblem {
    if (!CODES.has(problem.code)) return problem;
    for (const { pattern, written } of FORMS) {
        for (const match of clause.matchAll(pattern)) {
            const span: Span = { start: match.index, end: match.index + match[0].length };
            if (problem.span.start < span.start || problem.span.start >= span.end) continue;
            return { ...problem, span, remedy: `write '${written(match)}'` };
        }
    }
    return problem;
}

/** What is marked by a directive of another dialect that begins with a dot, and what stands for it here. */
export function withForeignDirective(problem: ClauseProblem, clause: string, text: string, end: number): ClauseProblem {
    if (problem.code !== 'RL0010' || clause !== '.') return problem;
    const directive = foreignDirective(text.slice(end - 1, end + LONGEST_DIRECTIVE));
    return directive === undefined ? problem : { ...problem, remedy: `write '${directive.written}'` };
}

const LONGEST_DIRECTIVE = 1000;

/** A directive at the start of a text: `.decl p(x: number)`, `.input p`, `.output p(…)`. */
export function foreignDirective(text: string): { readonly length: number; readonly written: string } | undefined {
    const [whole = '', word, name = '', columns = ''] =
        /^\.(decl|input|output|printsize)[ \t]+(\w+)[ \t]*(?:\(([^()]*)\))?/u.exec(text) ?? [];
    switch (word) {
        case 'input':
        case 'output':
        case 'printsize':
            return { length: whole.length, written: `@${word === 'input' ? word : 'output'}("${name}").` };
        case 'decl': {
            const fields = columns.split(',').map(column => {
                const [field = '', type = ''] = column.split(':').map(part => part.trim());
                return `'${field}:${TYPES.get(type) ?? 'string'}'`;
            });
            return { length: whole.length, written: `@model("${name}", "[${fields.join(', ')}]").` };
        }
        default:
            return undefined;
    }
}

const TYPES: ReadonlyMap<string, string> = new Map([
    ['number', 'int'],
    ['unsigned', 'int'],
    ['float', 'double'],
    ['symbol', 'string'],
]);

const CODES: ReadonlySet<string> = new Set(['RL0002', 'RL0005', 'RL0030', 'RL0048']);

interface ForeignForm {
    readonly pattern: RegExp;
    readonly written: (match: RegExpMatchArray) => string;
}

const FORMS: readonly ForeignForm[] = [
    {
        pattern: /\b([A-Z]\w*)\s+is\s+(not\s+)?null\b/giu,
        written: ([, value = '', not]) => `${not === undefined ? 'is_null' : 'is_not_null'}(${value})`,
    },
    {
        pattern: /\b([A-Z]\w*)\s+between\s+([\w."-]+)\s+and\s+([\w"-]+(?:\.\d+)?)/giu,
        written: ([, value = '', low = '', high = '']) => `${value} >= ${low}, ${value} <= ${high}`,
    },
    {
        pattern: /\b([A-Z]\w*)\s+(not\s+)?in\s*\(([^()]*)\)/giu,
        written: ([, value = '', not, items = '']) => `${value} ${not === undefined ? 'in' : '!in'} {${requoted(items)}}`,
    },
    {
        pattern: /\b([A-Z]\w*)\s+like\s+(["'])(%?)([^%_"']*)(%?)\2/giu,
        written: ([, value = '', , before, part = '', after]) => {
            if (before === '' && after === '') return `${value} == "${part}"`;
            const name = before === '' ? 'starts_with' : after === '' ? 'ends_with' : 'contains';
            return `${name}(${value}, "${part}")`;
        },
    },
    {
        pattern: /\b([A-Z]\w*)\s*=\s*(count|sum|min|max)\s*([A-Z]\w*)?\s*:\s*\{\s*([^{}]*?)\s*\}/gu,
        written: ([, result = '', name = '', value = '', body = '']) => `${body}, ${result} = ${name}(${value})`,
    },
    {
        pattern: /\b([A-Z]\w*)\s*=\s*#(count|sum|min|max)\s*\{\s*([^{}:]*?)\s*:\s*([^{}:]*?)\s*\}/gu,
        written: ([, result = '', name = '', terms = '', body = '']) => `${body}, ${result} = ${setAggregate(name, terms)}`,
    },
    { pattern: /^(?::-|<-)/gu, written: () => '#F <-' },
    { pattern: /(?<=^[a-z]\w*\([^()]*\)\s*)(?:=|<=|:)(?=\s*[a-z]\w*\()/gu, written: () => '<-' },
    { pattern: /^(?:SELECT|MATCH)\s+\S+/gu, written: ([words]) => `result() <- ${words}` },
];

/** `#count{X,Y : …}` counts tuples, `#sum{W,X : …}` adds the first terms of tuples. */
function setAggregate(name: string, terms: string): string {
    const [first = '', ...others] = terms.split(',').map(term => term.trim());
    if (name === 'count') return `count(1, <${[first, ...others].join(', ')}>)`;
    return name === 'sum' && others.length > 0 ? `sum(${first}, <${others.join(', ')}>)` : `${name}(${first})`;
}

function requoted(items: string): string {
    return items.replace(/'([^']*)'/gu, '"$1"');
}
