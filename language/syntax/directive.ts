import { say } from '#language/program/say.ts';
import { lineEnd } from './characters.ts';

/** The clauses that stand for a directive, or none and the reason. */
interface MeantDirective {
    readonly text: string;
    readonly instead?: string;
}

const LONGEST_DIRECTIVE = 2000;

/**
 * The end of the directive of another dialect that begins with a dot at `start`: of its line, or of the line in which the
 * parenthesis closes that the first one opens. Blanks and a comment at the end do not belong to it.
 */
export function directiveEnd(text: string, start: number): number {
    const line = lineEnd(text, start);
    const open = text.slice(start, line).indexOf('(');
    const close = open < 0 ? -1 : text.slice(start, start + LONGEST_DIRECTIVE).indexOf(')', open);
    const end = close < 0 ? line : lineEnd(text, start + close);
    const written = text.slice(start, end).replace(/(?:%|\/\/)[^\r\n]*$/u, '');
    return start + written.trimEnd().length;
}

/** Translates `.decl p(x: number)`, `.input p`, `.output p(…)` and their like; undefined for a dot before another word. */
export function meantByDirective(text: string): MeantDirective | undefined {
    const [, word = '', rest = ''] = /^\.(\w+)\s*([\s\S]*)$/u.exec(text) ?? [];
    const [, name = '', columns] = /^(\w+)\s*(?:\(([\s\S]*)\))?/u.exec(rest) ?? [];
    switch (word) {
        case 'input':
            return writing(`@input("${name}").`);
        case 'output':
        case 'printsize':
            return writing(`@output("${name}").`);
        case 'include':
            return writing(`@include("${/(?<![\w-])([\w-]+)(?:\.\w+)?["'>]?\s*$/u.exec(rest)?.[1] ?? rest}").`);
        case 'decl':
            return columns === undefined ? undefined : declaration(name, columns);
        case 'type':
            return leaving(say`types belong to columns, in @model`);
        case 'comp':
        case 'init':
        case 'functor':
        case 'limitsize':
        case 'plan':
        case 'pragma':
            return leaving(say`the language has nothing like it`);
        default:
            return undefined;
    }
}

function writing(text: string): MeantDirective {
    return { text };
}

function leaving(instead: string): MeantDirective {
    return { text: '', instead };
}

/** A model for columns of known types; columns of types that the program makes up need none. */
function declaration(name: string, columns: string): MeantDirective {
    const fields = columns.split(',').map(column => {
        const [field = '', type = ''] = column.split(':').map(part => part.trim());
        return { field, type: TYPES.get(type) };
    });
    if (columns.trim() === '' || fields.some(({ type }) => type === undefined)) return leaving(say`columns need no declaration`);
    return writing(`@model("${name}", "[${fields.map(({ field, type }) => `'${field}:${type}'`).join(', ')}]").`);
}

const TYPES: ReadonlyMap<string, string> = new Map([
    ['number', 'int'],
    ['unsigned', 'int'],
    ['float', 'double'],
    ['symbol', 'string'],
]);
