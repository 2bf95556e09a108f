import { meantByCall } from '#language/library/foreign-functions.ts';
import { capitalised } from '#language/program/capitalised.ts';
import { type ForeignForm, headOf, leftOut, requoted } from './foreign-form.ts';

const CALL = String.raw`[a-z]\w*\([^()]*\)`;
const ATOM_OR_NAME = String.raw`[a-z]\w*(?:\([^()]*\))?`;
const VALUE = String.raw`(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\([^()]*\))?)`;
const CONSTANT = String.raw`(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|\[[^[\]]*\])`;

/** Forms of Python, R, pandas and other scripting languages. */
export const SCRIPT_FORMS: readonly ForeignForm[] = [
    leftOut('import', /^(?:from\s+[\w.]+\s+)?import\s+[A-Za-z][\w.]*(?:\s+as\s+\w+)?[^\n"]*$/gu, 'functions are there by themselves'),
    leftOut('library', /^(?:library|require)\(\s*["']?\w+["']?\s*\)/gu, 'functions are there by themselves'),
    {
        name: 'def',
        pattern: /^(?:def|function)\s+([a-z]\w*)\s*\(([^()]*)\)[\s\S]*/gu,
        written: () => '',
        words: "a program has no functions of its own: write the expression where it is used, such as 'Y = X + 1'",
    },
    {
        name: 'class',
        pattern: /^class\s+([A-Z]\w*)[\s\S]*/gu,
        written: () => '',
        words: 'write a fact for each object, such as \'person("Ann", 31).\': a predicate needs no declaration',
    },
    {
        name: 'for',
        pattern: /^for\s+[A-Za-z_]\w*\s+in\s+([a-z]\w*)\s*:\s*print\([^()]*\)\s*/gu,
        written: match => ended(match, `@output("${match[1]}")`),
    },
    {
        name: 'for',
        pattern: /^for\s+[A-Za-z_]\w*\s+in\s+[\s\S]*/gu,
        written: () => '',
        words: "write a rule, such as 'result(X) <- p(X), X > 2.': it holds for every row, without a loop",
    },
    {
        name: 'for',
        pattern: /^([a-z]\w*)\s*:?=\s*[[{(]\s*(\w+)\s+for\s+\2\s+in\s+([a-z]\w*)(?:\s+if\s+([^\]})]+?))?\s*[\]})]/gu,
        written: ([, head = '', name = '', table = '', condition]) =>
            `${head}(${capitalised(name)}) <- ${table}(${capitalised(name)})${condition === undefined ? '' : `, ${capitalWord(condition, name)}`}`,
    },
    {
        name: 'for',
        pattern: /(?<=^[a-z]\w*\([^()]*\))\s+for\s+\(?([A-Za-z_]\w*(?:\s*,\s*\w+)*)\)?\s+in\s+([a-z]\w*)/gu,
        written: ([, names = '', table = '']) =>
            ` <- ${table}(${names
                .split(',')
                .map(name => capitalised(name.trim()))
                .join(', ')})`,
    },
    {
        name: 'for',
        pattern:
            /\b([A-Z]\w*)\s*=\s*(sum|count|min|max|len)\s*\(\s*(?:\[\s*)?(\w+)\s+for\s+(?:\(\s*)?(\w+(?:\s*,\s*\w+)*)(?:\s*\))?\s+in\s+([a-z]\w*)\s*(?:\]\s*)?\)/gu,
        written: ([, result = '', name = '', value = '', names = '', table = '']) => {
            const terms = names.split(',').map(term => capitalised(term.trim()));
            const call = name === 'len' || name === 'count' ? 'count()' : `${name}(${capitalised(value)})`;
            return `${table}(${terms.join(', ')}), ${result} = ${call}`;
        },
    },
    {
        pattern: new RegExp(
            String.raw`\b([A-Z]\w*)\s*=\s*(count|sum|min|max)\s*(?:\(\s*)?(?:[{[(]\s*)?([A-Z]\w*)\s*[:|]\s*((?:not\s+)?${CALL}(?:\s*,\s*${CALL})*)(?:\s*[}\])])?(?:\s*\))?(?=\s*(?:[.,]|$))`,
            'gu',
        ),
        written: ([, result = '', name = '', value = '', body = '']) =>
            `${body}, ${result} = ${name}(${name === 'count' ? `1, <${value}>` : value})`,
    },
    {
        name: '`…`',
        pattern: /`([^`]*)`/gu,
        written: ([, text = '']) => `concat(${template(text.replaceAll('${', '{'))})`,
    },
    {
        name: 'f"…"',
        pattern: /\bf"([^"]*)"/gu,
        written: ([, text = '']) => `concat(${template(text)})`,
    },
    {
        name: 'if … else',
        pattern: new RegExp(String.raw`(?<!\w)(${VALUE})\s+if\s([^,"]+?(?:"[^"]*")?)\selse\s+(${VALUE})`, 'gu'),
        written: ([, yes = '', condition = '', no = '']) => `if(${condition.trim()}, ${requoted(yes)}, ${requoted(no)})`,
    },
    { name: 'if', pattern: new RegExp(String.raw`(?<=(?:<-|:-)\s*)if\s+(${CALL})\s*[:,]\s*`, 'gu'), written: ([, atom]) => `${atom}, ` },
    {
        name: 'return',
        pattern: /,?\s*\breturn\b[^,.]*/gu,
        written: () => '',
        instead: 'the head says what a rule gives',
    },
    { name: 'is not None', pattern: /\b([A-Z]\w*)\s+is\s+not\s+(?:None|NA)\b/gu, written: ([, name]) => `is_not_null(${name})` },
    { name: 'is None', pattern: /\b([A-Z]\w*)\s+is\s+(?:None|NA)\b/gu, written: ([, name]) => `is_null(${name})` },
    {
        name: 'is.na',
        pattern: /(!\s*)?\bis\.na\(\s*([A-Z]\w*)\s*\)/gu,
        written: ([, not, name]) => `${not === undefined ? 'is_null' : 'is_not_null'}(${name})`,
    },
    {
        name: ([form]) => form.replace(/^.*?(\.\w+)\(.*$/su, '$1'),
        pattern: /(?<![\w.])([A-Z]\w*)\.([a-z]\w*)\(([^()]*)\)/gu,
        written: ([, receiver = '', name = '', rest = '']) => {
            const args = [receiver, ...rest.split(/,(?![^[]*\])/u).map(part => part.trim())].filter(part => part !== '');
            const meant = meantByCall(name, args) ?? { name };
            return 'text' in meant ? meant.text : `${meant.name}(${args.map(requoted).join(', ')})`;
        },
    },
    {
        name: 'read_csv',
        pattern: /^([a-z]\w*)\s*=\s*(?:pd\.)?read_(csv|json|parquet|excel)\(\s*["']([^"']*)["'][^()]*\)/gu,
        written: match => {
            const [, name, type, path = ''] = match;
            const [, folder = '', file] = /^(?:(.*)\/)?([^/]+)$/u.exec(path) ?? [];
            return ended(
                match,
                `@bind("${name}", "${type}${type === 'csv' || type === 'excel' ? ' useHeaders=true' : ''}", "${folder}", "${file}")`,
            );
        },
    },
    {
        name: ([form]) => form.replace(/^.*?(\.\w+)\(.*$/su, '$1'),
        pattern: /(?<![\w.])[a-z]\w*\.(?:groupby|merge|join|apply|sort_values|agg|filter|select|head|query)\([\s\S]*/gu,
        written: () => '',
        words: "write a rule with an atom for each table, such as 'result(N, S) <- p(N, V), S = sum(V).'",
    },
    {
        name: '[…]',
        pattern: /^([a-z]\w*)\s*(?:=|<-)\s*([a-z]\w*)\[\s*\2\.(\w+)\s*([<>=!]=?)([^\]]+)\]/gu,
        written: ([, head, table, column = '', operator = '', value = '']) =>
            `${head}(${capitalised(column)}) <- ${table}(${capitalised(column)}), ${capitalised(column)} ${operator} ${requoted(value.trim())}`,
    },
    {
        name: '[:]',
        pattern: /\b([A-Z]\w*)\[\s*(?:(\d+)\s*)?:\s*(?:(\d+)\s*)?\]/gu,
        written: ([, text, from = '0', to]) => slice(text, Number(from), to),
    },
    {
        name: '[…]',
        pattern: /\b([A-Z]\w*)\[\s*(-?\d+|"[^"]*"|[A-Z]\w*)\s*\]/gu,
        written: ([, list, at = '']) => `collections:get(${list}, ${position(at)})`,
    },
    {
        name: '{ … : … }',
        pattern: /\{\s*(?:"[^"]*"|\d+)\s*:\s*[^{}]*\}\s*\[\s*[A-Z]\w*\s*\]/gu,
        written: () => '',
        words: "write a fact for each pair, such as 'code(\"ann\", 1).', and 'code(X, Y)' in this place",
    },
    {
        name: '{ … : … }',
        pattern: /(?<=[\w(,=]\s*)\{\s*(?:"[^"]*"|\w+)\s*:\s*[^{}]*\}/gu,
        written: ([form = '']) => {
            const parts = form
                .slice(1, -1)
                .split(',')
                .map(part => /^\s*(?:"([^"]*)"|(\w+))\s*:\s*([\s\S]+?)\s*$/u.exec(part));
            if (parts.some(part => part === null)) return undefined;
            return `struct(${parts.map(part => `"${part?.[1] ?? part?.[2]}", ${requoted(part?.[3] ?? '')}`).join(', ')})`;
        },
    },
    {
        name: '+=',
        pattern: /\b([A-Z]\w*)\s*\+=\s*([A-Z]\w*|1\b)/gu,
        written: ([, total, value]) => `${total} = ${value === '1' ? 'count()' : `sum(${value})`}`,
    },
    { name: '//', pattern: /\b([A-Z]\w*|\d+)\s*\/\/\s*([A-Z]\w*|\d+)/gu, written: ([, left, right]) => `math:floor(${left} / ${right})` },
    {
        pattern: new RegExp(String.raw`^([a-z]\w*)\s*(?::=|=|<-)\s*(${CONSTANT})`, 'gu'),
        name: '=',
        written: match => ended(match, `@param("${match[1]}", ${requoted(match[2] ?? '')})`),
    },
    {
        name: 'lambda',
        pattern: /(?:\(\s*)?\blambda\s+(\w+)\s*:([^()]+)\)\(\s*([A-Z]\w*)\s*\)/gu,
        written: ([, name = '', body = '', value = '']) => body.trim().replace(new RegExp(`\\b${name}\\b`, 'gu'), value),
    },
    { pattern: new RegExp(String.raw`(?<=\(\s*)\(\s*(${VALUE}(?:\s*,\s*${VALUE})+)\s*\)(?=\s*\))`, 'gu'), written: ([, parts]) => parts },
    {
        name: 'print',
        pattern: new RegExp(String.raw`^print\(?\s*(${ATOM_OR_NAME})\s*\)?`, 'gu'),
        written: match => ended(match, `@output("${match[1]?.replace(/\(.*/su, '')}")`),
    },
    {
        pattern: new RegExp(String.raw`^\s*(${CALL}\s*,(?:(?!<-|:-|->|=>)[\s\S])+)(?:->|=>)\s*(${CALL})`, 'gu'),
        name: '->',
        written: match => (headOf(match).text === '' ? `${match[2]} <- ${match[1]}` : undefined),
    },
];

/** An annotation with the dot that the clause of a match lacks. */
function ended({ input = '' }: RegExpMatchArray, annotation: string): string {
    return /\.\s*$/u.test(input) ? annotation : `${annotation}.`;
}

function capitalWord(text: string, name: string): string {
    return text.replace(new RegExp(`\\b${name}\\b`, 'gu'), capitalised(name));
}

/** The pieces of a text with places in braces. */
function template(text: string): string {
    return text
        .split(/(\{[^{}]*\})/u)
        .filter(piece => piece !== '')
        .map(piece => (piece.startsWith('{') ? capitalised(piece.slice(1, -1).trim()) : `"${piece}"`))
        .join(', ');
}

/** Positions begin at 1 here; those from the end are the same. */
function position(at: string): string {
    if (/^-|^"/u.test(at)) return at;
    return /^\d/u.test(at) ? String(Number(at) + 1) : `${at} + 1`;
}

function slice(text: string | undefined, from: number, to: string | undefined): string {
    return `substring(${text}, ${from + 1}${to === undefined ? '' : `, ${Number(to) - from}`})`;
}
