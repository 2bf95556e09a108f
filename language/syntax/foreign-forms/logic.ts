import { functionNamed } from '#language/library/function-catalogue.ts';
import type { HelperPredicate } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { uncapitalised } from '#language/program/uncapitalised.ts';
import { isClosing, isOpening } from '../brackets.ts';
import type { Token } from '../token.ts';
import { tokenize } from '../tokenize.ts';
import { type ForeignForm, headOf, leftOut } from './foreign-form.ts';

const CALL = String.raw`[a-z]\w*\([^()]*\)`;

const NEGATED_GROUP = new RegExp(String.raw`(?:\bnot\s*|\\\+\s*|!\s*)\(\s*(${CALL}[^(),]*(?:,[^(),]*(?:\([^()]*\)[^(),]*)?)+)\)`, 'gu');

/** Forms of Prolog, Soufflé, clingo and their relatives. */
export const LOGIC_FORMS: readonly ForeignForm[] = [
    leftOut(
        ':- directive',
        /^:-\s*(?:dynamic|discontiguous|table|multifile|use_module|ensure_loaded|initialization|module|set_prolog_flag)\b[^.]*\.?/gu,
        'predicates need no declaration',
    ),
    { name: 'assert', pattern: new RegExp(String.raw`^:-\s*assert[az]?\(\s*(${CALL})\s*\)`, 'gu'), written: ([, fact = '']) => fact },
    {
        name: '?-',
        pattern: /^\?-\s*([^.]+?)(?=\s*\.|\s*$)/gu,
        written: ([, goal = '']) => {
            const [, name, terms = ''] = /^([a-z]\w*)\(([^()]*)\)$/u.exec(goal) ?? [];
            const variables = [...new Set(goal.match(/(?<!\w)[A-Z]\w*/gu) ?? [])];
            const distinct = terms.split(',').map(term => term.trim());
            if (name !== undefined && distinct.length === variables.length && distinct.every(term => variables.includes(term)))
                return `@output("${name}")`;
            return `@output("answer"). answer(${variables.join(', ')}) <- ${withQuotedTexts(goal)}`;
        },
    },
    { name: '?', pattern: /^([a-z]\w*)\([^()]*\)\s*\?/gu, written: ([, name]) => `@output("${name}").` },
    {
        name: 'aggregate_all',
        pattern: new RegExp(String.raw`\baggregate_all\(\s*count\s*,\s*(${CALL})\s*,\s*([A-Z]\w*)\s*\)`, 'gu'),
        written: ([, goal, result]) => `${goal}, ${result} = count()`,
    },
    {
        pattern: /^:-\s*(?:consult\(\s*['"]?([\w-]+)(?:\.\w+)?['"]?\s*\)|\[\s*['"]?([\w-]+)(?:\.\w+)?['"]?\s*\])/gu,
        written: ([, name, listed]) => `@include("${name ?? listed}")`,
    },
    {
        name: '|',
        pattern: new RegExp(String.raw`^${CALL}(?:\s*(?:;|\||\bor\b)\s*${CALL})+(?=\s*(?:<-|:-))`, 'gu'),
        written: () => '',
        words: "write ',' where all of them follow, or a rule with a condition for each: rules make no choices",
    },
    {
        name: ':',
        pattern: new RegExp(String.raw`(?<=(?:,|<-|:-)\s*)(?:${CALL})\s*:\s*(?:${CALL})(?=\s*[,.]|\s*$)`, 'gu'),
        written: ([form]) => form,
        helper: match => {
            const [conclusion = '', condition = ''] = match[0].split(/(?<=\))\s*:\s*/u);
            return unlessAll(match, condition, conclusion);
        },
    },
    {
        name: '..',
        pattern: /\b([A-Z]\w*)\s*(?:=|in)\s*(-?\d+)\s*\.\.\s*(-?\d+)/gu,
        written: ([, name, low, high]) => {
            const values = between(Number(low), Number(high));
            return values === undefined ? undefined : `${name} = collections:explode([${values.join(', ')}])`;
        },
    },
    {
        pattern: /(?<=[a-z]\w*\((?:[^()]*,)?\s*)([a-z]\w*)\(([^()]*)\)(?=[^()]*\)\s*\.?$)/gu,
        written: ([, name = '', terms]) => (functionNamed(name) === undefined ? terms : undefined),
    },
    leftOut('!', /\s*,\s*!(?=\s*[,.;]|\s*$)/gu, 'there is no cut, every answer is found'),
    leftOut('!', /(?<=<-\s*|:-\s*)!\s*,\s*/gu, 'there is no cut, every answer is found'),
    {
        name: '->',
        pattern: /\(((?:(?!->)[^();])+)->\s*([A-Z]\w*)\b\s*(?:=|is\b)([^();]+);\s*\2\s*(?:=|is\b)([^();]+)\)/gu,
        written: ([, condition = '', name = '', yes = '', no = '']) =>
            `${name} = if(${condition.trim().replace(/=</gu, '<=')}, ${yes.trim()}, ${no.trim()})`,
    },
    {
        name: 'not (…, …)',
        pattern: NEGATED_GROUP,
        written: ([group]) => group,
        helper: helperFor,
        words: "write a rule for what the parentheses hold, with atoms for all of its variables, and 'not' with its head here",
    },
    { pattern: new RegExp(String.raw`\(\s*(${CALL}(?:\s*,\s*${CALL})+)\s*\)`, 'gu'), written: ([, items]) => items },
    { name: 'not not', pattern: /\bnot\s+not\s+/gu, written: () => '', instead: 'twice not is the same as nothing' },
    { name: '\\+', pattern: new RegExp(String.raw`\\\+\s*\(\s*(${CALL})\s*\)`, 'gu'), written: ([, atom = '']) => `not ${atom}` },
    {
        name: ': { … }',
        pattern: new RegExp(
            String.raw`\b([A-Za-z_]\w*)\s*=\s*(count|sum|min|max|mean)\s*(?:([A-Za-z_]\w*)\s*)?:\s*(?:\{([^{}]*)\}|(${CALL}))`,
            'gu',
        ),
        written: match => {
            const [, result = '', name = '', value = '', braces, call = ''] = match;
            return setAggregate(match, result, name === 'mean' ? 'avg' : name, value, braces?.trim() ?? call);
        },
    },
    {
        pattern: /\b([A-Za-z_]\w*)\s*=\s*#(count|sum|min|max)\s*\{([^{}:]*):([^{}:]*)\}/gu,
        written: ([, result = '', name = '', terms = '', body = '']) => `${body.trim()}, ${result} = ${tupleAggregate(name, terms.trim())}`,
    },
    {
        pattern: /#(count|sum|min|max)\s*\{([^{}:]*):([^{}:]*)\}\s*(==?|!=|<>|<=?|>=?)\s*(\w+)/gu,
        written: ([, name = '', terms = '', body = '', operator = '', bound = '']) =>
            `${body.trim()}, Total = ${tupleAggregate(name, terms.trim())}, Total ${operator === '=' ? '==' : operator} ${bound}`,
    },
    {
        pattern: /\b(\w+)\s*(==?|!=|<>|<=?|>=?)\s*#(count|sum|min|max)\s*\{([^{}:]*):([^{}:]*)\}/gu,
        written: ([, bound = '', operator = '', name = '', terms = '', body = '']) =>
            `${body.trim()}, Total = ${tupleAggregate(name, terms.trim())}, ${bound} ${operator === '=' ? '==' : operator} Total`,
    },
    { pattern: /^#show\s+([a-z]\w*)\s*\/\s*\d+\s*\.?/gu, written: ([, name = '']) => `@output("${name}").` },
    { pattern: /^#const\s+([a-z]\w*)\s*=\s*([^.\s]+)\s*\.?/gu, written: ([, name = '', value = '']) => `@param("${name}", ${value}).` },
    { pattern: /^#include\s+["<]([\w-]+)(?:\.\w+)?[">]\s*\.?/gu, written: ([, name = '']) => `@include("${name}").` },
    leftOut('#minimize', /^#(?:minimize|maximize|heuristic|project)\b[\s\S]*$/gu, 'every answer is found, none is preferred'),
    { pattern: /^#(?:external|defined)\s+([a-z]\w*)[\s\S]*$/gu, written: ([, name]) => `@input("${name}").` },
    leftOut('#inf', /,\s*[A-Z]\w*\s*[<>]=?\s*#(?:inf|sup)(?=\s*[,.])/gu, 'it always holds'),
    leftOut(':~', /^:~[\s\S]*$/gu, 'every answer is found, none is preferred'),
    {
        name: '{ … }',
        pattern: /^\d*\s*\{[^{}]*\([^{}]*\}/gu,
        written: () => '',
        words: 'write a rule for what must hold: rules derive what follows and make no choices',
    },
    { pattern: new RegExp(`^-(${CALL})`, 'gu'), written: ([, atom]) => `not_${atom}` },
    {
        name: 'if',
        pattern: new RegExp(String.raw`^if\s([\s\S]*)\sthen\s+(${CALL})`, 'giu'),
        written: ([, condition = '', head]) => `${head} <- ${condition.trim().replace(/\s+and\s+/giu, ', ')}`,
    },
    {
        name: 'else',
        pattern: /^else\b[\s\S]*/giu,
        written: () => '',
        words: 'write a second rule with the opposite condition, such as \'size(X, "small") <- p(X, N), not N > 2.\'',
    },
    { name: 'unless', pattern: /,?\s\bunless\s+(?=[a-z]\w*\()/gu, written: () => ', not ' },
    {
        name: 'for all',
        pattern: /\bfor\s+(?:all|every|each)\b[\s\S]*/giu,
        written: () => '',
        words: "write a rule for what contradicts it, and 'not' with its head here: 'lacks(X) <- p(X), item(Y), not has(X, Y).'",
    },
    {
        name: 'not',
        pattern: new RegExp(String.raw`^not\s+(${CALL})\s*(?:<-|:-)\s*([^.]*)`, 'gu'),
        written: () => '',
        words: ([, head, body = '']) => say`a head says what follows: write '#F <- ${body.trim()}, ${head}.' where that must not be`,
    },
    { pattern: /^(?:false|fail)\s*(?=<-|:-)/gu, written: () => '#F ' },
    { pattern: /^([A-Z]\w*)\s*==\s*([A-Z]\w*)(?=\s*(?:<-|:-))/gu, written: ([, left, right]) => `${left} = ${right}` },
    {
        name: ([, , , sign = '']) => sign,
        pattern: /^([a-z]\w*)\s*:?=\s*([a-z]\w*)\s*([-+&|])\s*([a-z]\w*)(?=\s*(?:\.|$))/gu,
        written: () => '',
        words: ([, head, left, sign, right]) =>
            say`write '${combined(`${head}(X)`, `${left}(X)`, sign, `${right}(X)`)}' with a variable for each column`,
    },
    {
        name: '+',
        pattern: /\b([a-z]\w*)\+\s*\([^()]*,[^()]*\)/gu,
        written: ([, name]) => `#TC(${name})`,
    },
    { pattern: /\bnot\s+null\s*\(\s*([A-Z]\w*)\s*\)/gu, written: ([, name]) => `is_not_null(${name})` },
    { pattern: /(?<=,\s*)null\s*\(\s*([A-Z]\w*)\s*\)/gu, written: ([, name]) => `is_null(${name})` },
    leftOut('true', /\s*,\s*true(?=\s*(?:[,.]|$))/gu, 'it always holds'),
    leftOut('true', /\s*(?:<-|:-)\s*true(?=\s*(?:\.|$))/gu, 'a fact holds without a body'),
    leftOut('nl', /\s*,\s*nl(?=\s*(?:[,.]|$))/gu, 'outputs are shown by themselves'),
    { pattern: /\btrue\b/gu, written: () => '#T' },
    { pattern: /\b(?:false|fail)\b/gu, written: () => '#F' },
    { pattern: /\b(?:nil|none|undefined|nan)\b/gu, written: () => 'null' },
    {
        name: '..',
        pattern: /^([a-z]\w*)\((-?\d+)\.\.(-?\d+)\)/gu,
        written: ([, name = '', low, high]) => numbers(name, Number(low), Number(high)),
    },
    {
        pattern: /^([a-z]\w*)\(([^();]*(?:;[^();]*)+)\)/gu,
        written: ([, name = '', rows = '']) =>
            rows
                .split(';')
                .map(row => `${name}(${row.trim()})`)
                .join('. '),
    },
    {
        name: ([form]) => /relation|type|table|predicate/u.exec(form)?.[0] ?? form,
        pattern: /^(input|output)?\s*(?:relation|type|table|predicate)\s+([A-Za-z]\w*)\s*\(([^()]*)\)/gu,
        written: ([, direction, name = '', columns = '']) => relation(direction, name, columns),
    },
    leftOut('var', /\b(?:var|let)\s+(?=[A-Za-z_]\w*\s*=)/gu, 'variables are not declared'),
    leftOut(
        'exists',
        /^(?:∃|exists)\s*\(?\s*\w+\s*\)?[.,:]?\s*(?=[a-z]\w*\()/gu,
        'a variable that only the head has stands for a new value',
    ),
    { pattern: /(?<=[(,]\s*)\$(?=\s*[,)])/gu, written: () => 'New' },
    {
        name: 'if',
        pattern: /(?<=^[a-z]\w*\([^()]*\)\s*)(?:if|when|where)(?=\s+(?:not\s+)?[a-z]\w*\()/gu,
        written: () => '<-',
    },
    { name: 'if', pattern: /(?:\s*,)?\s+(?:if|when)(?=\s+[A-Za-z!(])/gu, written: () => ',' },
    { pattern: /(?<=^[a-z]\w*\([^()]*\)\s*)(?:<=|:?=|:\s*-|<\s*-|:|<)(?=\s*(?:not\s+)?[a-z]\w*\()/gu, written: () => '<-' },
    { pattern: /^(?::-|<-)/gu, written: () => '#F <-' },
    { pattern: /^[a-z]\w*(?=\s*(?:\.|<-|:-|$))\s*/gu, written: ([name = '']) => `${name.trim()}()` },
    { pattern: /(?<=,\s*),/gu, written: () => '', instead: 'one comma separates two items' },
];

/** Rules for a difference, an intersection or a union of two predicates. */
function combined(head: string, left: string, sign: string | undefined, right: string): string {
    if (sign === '-') return `${head} <- ${left}, not ${right}.`;
    return sign === '&' ? `${head} <- ${left}, ${right}.` : `${head} <- ${left}. ${head} <- ${right}.`;
}

/** A predicate for what contradicts that a conclusion holds wherever a condition does. */
function unlessAll({ 0: whole = '', input = '' }: RegExpMatchArray, condition: string, conclusion: string): HelperPredicate {
    const outside = new Set(variablesOf(tokenize(input.replace(whole, ''))));
    const own = [...new Set(variablesOf(tokenize(condition)))];
    const [first, second] = [condition, conclusion].map(atom => /^\w+/u.exec(atom)?.[0] ?? 'some');
    return {
        name: `${first}_without_${second}`,
        terms: own.filter(name => outside.has(name)).join(', '),
        body: `${condition}, not ${conclusion}`,
    };
}

/**
 * Builds a predicate for the conjunction in a negated group. Its arguments are the variables that the rest of the clause has too. Variables
 * that only other negated groups have do not count. Atoms of the group must bind every variable: one bound outside would be unbound in a
 * rule of its own.
 */
function helperFor(match: RegExpMatchArray): HelperPredicate | undefined {
    const [whole, group = ''] = match;
    const items = splitItems(tokenize(group));
    const atoms = items.filter(isPositiveAtom);
    const given = new Set(atoms.flatMap(variablesOf));
    const all = new Set(items.flatMap(variablesOf));
    if ([...all].some(name => !given.has(name))) return undefined;
    const rest = (match.input ?? '').replace(whole, '').replace(NEGATED_GROUP, '');
    const outside = new Set(variablesOf(tokenize(rest)));
    const names = items.flatMap(tokens =>
        tokens.filter(({ kind }, index) => kind === 'name' && tokens[index + 1]?.text === '(').slice(0, 1),
    );
    return {
        name: atoms.length === 1 ? `some_${names[0]?.text}` : names.map(({ text }) => text.replace(/\W/gu, '_')).join('_and_'),
        terms: [...given].filter(name => outside.has(name)).join(', '),
        body: group.trim(),
    };
}

function isPositiveAtom([name, open]: readonly Token[]): boolean {
    return name?.kind === 'name' && open?.text === '(' && functionNamed(name.text) === undefined;
}

function variablesOf(tokens: readonly Token[]): string[] {
    return tokens.flatMap(({ kind, text }) => (kind === 'variable' && text !== '_' ? [text] : []));
}

/** The items between commas outside brackets. */
function splitItems(tokens: readonly Token[]): Token[][] {
    const items: Token[][] = [[]];
    let depth = 0;
    for (const token of tokens) {
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
        if (depth === 0 && token.text === ',') items.push([]);
        else items.at(-1)?.push(token);
    }
    return items;
}

/** `#count{X,Y : …}` counts tuples, `#sum{W,X : …}` adds the first terms of tuples. */
function tupleAggregate(name: string, terms: string): string {
    const [first = '', ...others] = terms.split(',').map(term => term.trim());
    if (name === 'count') return `count(1, <${[first, ...others].join(', ')}>)`;
    return name === 'sum' && others.length > 0 ? `sum(${first}, <${others.join(', ')}>)` : `${name}(${first})`;
}

/** An aggregate over what a body of its own finds: each of its rows counts once, however often the rest of the rule holds. */
function setAggregate(match: RegExpMatchArray, result: string, name: string, value: string, body: string): string {
    if (name === 'min' || name === 'max' || name === 'avg')
        return `${capitalised(body)}, ${capitalised(result)} = ${name}(${capitalised(value)})`;
    let fresh = 0;
    const named = capitalised(body).replace(/(?<=[(,]\s*)_(?=\s*[,)])/gu, () => `Each${++fresh}`);
    const group = new Set(headOf(match).terms.map(capitalised));
    const words = named.match(/(?<=[(,]\s*)[A-Z]\w*(?=\s*[,)])/gu) ?? [];
    const contributors = [...new Set(words)].filter(word => !group.has(word));
    const list = contributors.length === 0 ? '' : `<${contributors.join(', ')}>`;
    const given = value === '' && list !== '' ? '1' : capitalised(value);
    return `${named}, ${capitalised(result)} = ${name}(${[given, list].filter(part => part !== '').join(', ')})`;
}

/** Variables in lower case, as the capitals that they are given here. */
function capitalised(text: string): string {
    return text.replace(/(?<![\w"])[a-z](?=\w*\s*(?:[,)]|$))/gu, letter => letter.toUpperCase());
}

const MOST_NUMBERS = 100;

function numbers(name: string, low: number, high: number): string | undefined {
    return between(low, high)
        ?.map(value => `${name}(${value})`)
        .join('. ');
}

function between(low: number, high: number): readonly number[] | undefined {
    if (high < low || high - low >= MOST_NUMBERS) return undefined;
    return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** DDlog's declaration of a relation. */
function relation(direction: string | undefined, name: string, columns: string): string {
    const predicate = uncapitalised(name);
    const fields = columns.split(',').map(column => {
        const [field = '', type = ''] = column.split(':').map(part => part.trim());
        return `'${field}:${/int|bit|signed/u.test(type) ? 'int' : /bool/u.test(type) ? 'boolean' : /double|float/u.test(type) ? 'double' : 'string'}'`;
    });
    const model = `@model("${predicate}", "[${fields.join(', ')}]").`;
    return direction === undefined ? model : `@${direction}("${predicate}"). ${model}`;
}

/** A goal with its bare words as texts: names without arguments that stand between brackets and commas. */
function withQuotedTexts(goal: string): string {
    return goal.replace(/"[^"]*"|(?<=[(,[]\s*)([a-z]\w*)(?=\s*[),\]])/gu, (text, word?: string) =>
        word === undefined ? text : `"${word}"`,
    );
}
