import { meantByCall } from '#language/library/foreign-functions.ts';
import { capitalised } from '#language/program/capitalised.ts';
import type { Instead } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { uncapitalised } from '#language/program/uncapitalised.ts';
import { type ForeignForm, headOf, leftOut, requoted } from './foreign-form.ts';

const VALUE = String.raw`(?:"[^"]*"|'[^']*'|-?\d[\w.-]*\w|-?\d|[A-Za-z_]\w*(?:\([^()]*\))?)`;
const CALL = String.raw`[a-z]\w*\([^()]*\)`;

const UNIT = 'year|quarter|month|week|day|hour|minute|second';

/** Forms of SQL in place of rules and conditions. A special form stands before a general one that also matches. */
export const SQL_FORMS: readonly ForeignForm[] = [
    {
        name: 'EXTRACT',
        pattern: new RegExp(String.raw`\bextract\s*\(\s*(${UNIT})\s+from\s+([A-Za-z_]\w*)\s*\)`, 'giu'),
        written: ([, part, time]) => `date:part(${time}, "${part?.toLowerCase()}")`,
    },
    {
        name: ([form]) => form.replace(/\s*\([\s\S]*/u, ''),
        pattern: new RegExp(String.raw`\b(?:date_?diff|timestampdiff)\s*\(\s*(${UNIT})s?\s*,\s*([^(),]+),\s*([^(),]+)\)`, 'giu'),
        written: ([, unit, start, end]) => `date:between(${start?.trim()}, ${end?.trim()}, "${unit?.toLowerCase()}")`,
    },
    {
        name: ([form]) => form.replace(/\s*\([\s\S]*/u, ''),
        pattern: new RegExp(String.raw`\b(?:date_?add|timestampadd)\s*\(\s*(${UNIT})s?\s*,\s*([^(),]+),\s*([^(),]+)\)`, 'giu'),
        written: ([, unit, count, time]) => `date:plus(${time?.trim()}, ${count?.trim()}, "${unit?.toLowerCase()}")`,
    },
    { pattern: /(?<=[<>=+-]\s*)(?:today|current_date)\b(?!\s*\()/gu, written: () => 'date:current_date()' },
    { pattern: /(?<=[<>=+-]\s*)(?:now|current_timestamp)\b(?!\s*\()/gu, written: () => 'date:current_timestamp()' },
    {
        name: 'CAST',
        pattern: /\bcast\s*\(\s*([A-Z]\w*)\s+as\s+(\w+)\s*\)/giu,
        written: ([, value = '', type = '']) => castOf(value, type),
    },
    {
        name: '::',
        pattern: /\b([A-Z]\w*)::(\w+)/gu,
        written: ([, value = '', type = '']) => castOf(value, type),
    },
    {
        name: 'INTERVAL',
        pattern: /\b([A-Za-z]\w*(?:\(\))?)\s*([+-])\s*interval\s*(["'])\s*(\d+)\s+(\w+?)s?\s*\3/giu,
        written: ([, time = '', sign, , count, unit = '']) => {
            const meant = time.endsWith('()') ? meantByCall(time.slice(0, -2), []) : undefined;
            const from = meant !== undefined && 'name' in meant ? `${meant.name}()` : time;
            return `date:plus(${from}, ${sign === '-' ? '-' : ''}${count}, "${unit.toLowerCase()}")`;
        },
    },
    {
        name: ([form]) => form.slice(0, 4).toUpperCase(),
        pattern: /\b(?:date|time(?:stamp)?)\s+["'](\d{4}-\d{2}-\d{2}(?:[ T][\d:.]+)?)["']/giu,
        written: ([, time]) => time,
    },
    {
        name: 'OVER',
        pattern: /\b([A-Z]\w*)\s*=\s*(?:(?:dense_)?rank|row_number)\(\)\s*over\s*\(\s*order\s+by\s+([A-Z]\w*)(?:\s+(asc|desc))?\s*\)/giu,
        written: () => '',
        words: match => ranked(match),
    },
    {
        name: 'OVER',
        pattern: /\b\w+\([^()]*\)\s*over\s*\([^()]*\)/giu,
        written: () => '',
        words: "write an aggregate in a rule whose head has the columns of its groups, such as 't(R, S) <- p(R, V), S = sum(V).'",
    },
    { name: 'TOP', pattern: /\btop\s+(\d+)\s+/giu, written: () => '', instead: match => post(headOf(match).name, `limit(${match[1]})`) },
    {
        name: 'ANY',
        pattern: /\b([A-Z]\w*)\s*=\s*(?:any|some)\s*\(([^()]*)\)/giu,
        written: ([, value, items = '']) => `${value} in {${requoted(items)}}`,
    },
    {
        name: 'REGEXP',
        pattern: /\b([A-Z]\w*)\s+(not\s+)?(?:regexp|rlike|similar\s+to)\s+("[^"]*"|'[^']*')/giu,
        written: ([, value, not, pattern = '']) => `${not === undefined ? '' : '!'}rlike(${value}, ${requoted(pattern)})`,
    },
    {
        name: ([form]) => /!?=?~\*?|like/iu.exec(form)?.[0] ?? '~',
        pattern: /\b([A-Z]\w*)\s*(?:(!?)=?~\*?|\s(not\s+)?i?like\b)\s*(?:(["'])\/([^"'/]+)\/\4|\/([^/"'\n]+)\/?)/giu,
        written: ([, value, sign, not, , quoted, bare]) => `${sign || not ? '!' : ''}rlike(${value}, "${quoted ?? bare}")`,
    },
    {
        name: '~',
        pattern: /\b([A-Z]\w*)\s*(!?)=?~\*?\s*("[^"]*"|'[^']*')/gu,
        written: ([, value, sign, pattern = '']) => `${sign}rlike(${value}, ${requoted(pattern)})`,
    },
    { pattern: /\b(?!is\b)([A-Z]\w*)\s+not\s+null\b/giu, written: ([, value]) => `is_not_null(${value})` },
    {
        name: '*',
        pattern: /\b[a-z]\w*\(\s*\*\s*\)/gu,
        written: () => '',
        words: "write a term for each column, '_' for one that does not matter",
    },
    { pattern: /\b([A-Z]\w*)\s+not\s+in\s+([a-z]\w*)(?![\w(])/gu, written: ([, value, table]) => `not ${table}(${value})` },
    {
        pattern: /^select\s+\*\s+from\s+([a-z]\w*)\s*(?:;|\.?\s*$)/giu,
        name: 'SELECT',
        written: ([, table = '']) => `@output("${uncapitalised(table)}").`,
    },
    {
        name: 'CREATE VIEW',
        pattern:
            /^create\s+(?:or\s+replace\s+)?view\s+([a-z]\w*)\s+as\s+select\s+(?:distinct\s+)?(\w+(?:\s*,\s*\w+)*)\s+from\s+([a-z]\w*)(?:\s+where\s([^;]*[^;.\s]))?\s*(?:(;)|(?=(?:\.\s*)?$))/giu,
        written: ([, view = '', columns = '', table = '', where = '', end]) =>
            `${ruleFor(columns, table, where, uncapitalised(view))}${end === undefined ? '' : '.'}`,
    },
    {
        name: ([word]) => word.slice(0, word.search(/\s/u)).toUpperCase(),
        pattern: /^(?:update|delete|alter|drop|truncate)\s[^;]*/giu,
        written: () => '',
        words: "facts do not change: write a rule for the rows that are left, such as 'kept(X, A) <- p(X, A), A <= 3.'",
    },
    {
        name: 'AS',
        pattern: /\b([A-Z]\w*)\s+as\s+[a-z]\w*(?=\s*[,)])/gu,
        written: ([, column]) => column,
    },
    {
        pattern: /\b([A-Za-z_]\w*)\s+is\s+(not\s+)?null\b/giu,
        written: ([, value = '', not]) => `${not === undefined ? 'is_null' : 'is_not_null'}(${value})`,
    },
    {
        pattern: new RegExp(String.raw`\b([A-Za-z_]\w*)\s+between\s+(${VALUE})\s+and\s+(${VALUE})`, 'giu'),
        written: ([, value = '', low = '', high = '']) => `${value} >= ${requoted(low)}, ${value} <= ${requoted(high)}`,
    },
    {
        name: 'SELECT',
        pattern: /\b([A-Za-z_]\w*)\s+(not\s+)?in\s*\(\s*select\s+\w+\s+from\s+([a-z]\w*)\s*\)/giu,
        written: ([, value = '', not, table = '']) => `${not === undefined ? '' : 'not '}${table}(${value})`,
    },
    {
        name: 'SELECT',
        pattern: /\(\s*select\b[^()]*\)/giu,
        written: () => '',
        words: 'write a rule for what it selects, and its head in this place',
    },
    {
        pattern: /\b([A-Za-z_]\w*)\s+(not\s+)?in\s*\(([^()]*)\)/giu,
        written: ([, value = '', not, items = '']) => `${value} ${not === undefined ? 'in' : '!in'} {${requoted(items)}}`,
    },
    {
        pattern: /\b([A-Za-z_]\w*)\s+not\s+in\s*(\{[^{}]*\}|\[[^[\]]*\]|[A-Z]\w*)/giu,
        written: ([, value = '', items = '']) => `${value} !in ${requoted(items)}`,
    },
    {
        pattern: /\b([A-Za-z_]\w*)\s+(not\s+)?i?like\s+(["'])(%?)([^%_"']*)(%?)\3/giu,
        written: ([, value = '', not, , before, part = '', after]) => {
            if (before === '' && after === '') return `${value} ${not === undefined ? '==' : '!='} "${part}"`;
            const name = before === '' ? 'starts_with' : after === '' ? 'ends_with' : 'contains';
            return `${not === undefined ? '' : '!'}${name}(${value}, "${part}")`;
        },
    },
    {
        name: 'AS',
        pattern: /(?<=,\s*|<-\s*|:-\s*)([A-Za-z]\w*\s*\((?:[^()]|\([^()]*\))*\))\s+as\s+([A-Za-z_]\w*)/giu,
        written: ([, value = '', name = '']) => `${name} = ${value}`,
    },
    {
        name: 'COUNT(DISTINCT …)',
        pattern: /\bcount\s*\(\s*distinct\s+([A-Za-z_]\w*)\s*\)/giu,
        written: ([, value = '']) => `count(1, <${value}>)`,
    },
    { name: 'COUNT(*)', pattern: /\bcount\s*\(\s*\*\s*\)/giu, written: () => 'count()' },
    {
        name: 'CASE',
        pattern: /\bcase\s+when\b((?:(?!\b(?:case|end)\b)[\s\S])*)\bend\b/giu,
        written: ([, cases = '']) => {
            const [whens = '', no = 'null', ...more] = cases.split(/\belse\b/iu);
            const branches = whens.split(/\bwhen\b/iu).map(branch => branch.split(/\bthen\b/iu));
            if (more.length > 0 || branches.some(({ length }) => length !== 2)) return undefined;
            const opened = branches.map(([condition = '', yes = '']) => `if(${comparison(condition)}, ${requoted(yes.trim())}, `);
            return `${opened.join('')}${requoted(no.trim())}${')'.repeat(opened.length)}`;
        },
    },
    {
        name: 'if … then … else',
        pattern: new RegExp(String.raw`\bif\s([^,"]+?(?:"[^"]*")?)\sthen\s+(${VALUE})\s+else\s+(${VALUE})`, 'giu'),
        written: ([, condition = '', yes = '', no = '']) => `if(${comparison(condition)}, ${requoted(yes)}, ${requoted(no)})`,
    },
    {
        name: '?',
        pattern: new RegExp(String.raw`(?<==)\s*([^,=?][^,?]*)\?\s*(${VALUE})\s*:\s*(${VALUE})`, 'gu'),
        written: ([, condition = '', yes = '', no = '']) =>
            `if(${condition.trim().replace(/^\(|\)$/gu, '')}, ${requoted(yes)}, ${requoted(no)})`,
    },
    {
        name: 'NOT EXISTS',
        pattern: new RegExp(String.raw`\bnot\s+exists\s*(?:\(\s*(${CALL})\s*\)|(${CALL}))`, 'giu'),
        written: ([, inside, beside]) => `not ${inside ?? beside}`,
    },
    {
        name: 'EXISTS',
        pattern: new RegExp(String.raw`\bexists\s*(?:\(\s*(${CALL})\s*\)|\s(${CALL}))(?!\s*(?:<-|:-))`, 'giu'),
        written: ([, inside, beside]) => inside ?? beside,
    },
    leftOut('BY', /(?<=\))\s*\bby\s+[A-Z]\w*(?:\s*,\s*[A-Z]\w*)*/gu, 'the other columns of the head are the groups'),
    leftOut('GROUP BY', /,?\s*\bgroup\s+by\s+\w+(?:\s*,\s*\w+)*/giu, 'the other columns of the head are the groups'),
    {
        name: 'ORDER BY',
        pattern: /,?\s*\border\s+by\s+(\w+)(?:\s+(asc|desc))?/giu,
        written: () => '',
        instead: match => {
            const { name, terms } = headOf(match);
            const column = match[1] ?? '';
            const place = Number(column) || terms.indexOf(column) + 1;
            if (place === 0) return say`rows are ordered by columns of the head`;
            return post(name, `orderby(${match[2]?.toLowerCase() === 'desc' ? '-' : ''}${place})`);
        },
    },
    {
        name: 'LIMIT',
        pattern: /,?\s*\blimit\s+(\d+)/giu,
        written: () => '',
        instead: match => post(headOf(match).name, `limit(${match[1]})`),
    },
    leftOut('DISTINCT', /\bdistinct\s+/giu, 'facts are a set, in which nothing comes twice'),
    { name: ([word]) => word.replace(',', '').trim(), pattern: /(?:\s*,)?\s+(?:where|having)(?=\s)/giu, written: () => ',' },
    {
        name: 'LEFT JOIN',
        pattern: /\s+(?:left|right|full)(?:\s+outer)?\s+join\s+/giu,
        written: () => '',
        words: "write two rules: one with both atoms, one with 'not …' for the rows without a partner",
    },
    { name: 'JOIN', pattern: /\s+(?:inner\s+)?join(?=\s+[a-z]\w*\()/gu, written: () => ',' },
    { name: 'JOIN', pattern: /\s+(?:INNER\s+)?JOIN(?=\s+[A-Za-z]\w*\()/gu, written: () => ',' },
    { name: 'ON', pattern: /(?<=\))\s+on(?=\s+[A-Z])/giu, written: () => ',' },
    { name: 'EXCEPT', pattern: /(?<=\))\s+(?:except|minus)\s+(?=[a-z]\w*\()/giu, written: () => ', not ' },
    {
        name: 'UNION',
        pattern: /(?<=\))\s+union(?:\s+all)?\s+(?=[a-z]\w*\()/giu,
        written: match => (headOf(match).text === '' ? undefined : `.\n${headOf(match).text} <- `),
    },
    {
        name: 'INSERT INTO',
        pattern: /^insert\s+into\s+([A-Za-z]\w*)\s*(?:\([^()]*\)\s*)?values\s*(\([^()]*\)(?:\s*,\s*\([^()]*\))*)/giu,
        written: ([, name = '', rows = '']) => {
            const facts = [...rows.matchAll(/\([^()]*\)/gu)].map(([row]) => `${uncapitalised(name)}${requoted(row)}`);
            return facts.join('. ');
        },
    },
    {
        name: 'CREATE TABLE',
        pattern: /^create\s+table\s+([A-Za-z]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)/giu,
        written: ([, name = '', columns = '']) => {
            const fields = columns
                .replace(/\([^()]*\)/gu, '')
                .split(',')
                .map(column => column.trim().split(/\s+/u))
                .map(([field = '', type = '']) => `'${field}:${columnType(type)}'`);
            return `@model("${uncapitalised(name)}", "[${fields.join(', ')}]")`;
        },
    },
    {
        name: 'SELECT',
        pattern:
            /^select\s+(?:distinct\s+)?(\w+(?:\s*,\s*\w+)*)\s+from\s+([a-z]\w*)(?:\s+where\s([^;]*[^;.\s]))?\s*(?:(;)|(?=(?:\.\s*)?$))/giu,
        written: ([, columns = '', table = '', where = '', end]) => `${ruleFor(columns, table, where)}${end === undefined ? '' : '.'}`,
    },
    {
        name: ([word]) => word.slice(0, word.search(/\s/u)).toUpperCase(),
        pattern: /^(?:select|match|with|create)\s[^;]*/giu,
        written: () => '',
        words: "a query is not a clause; write a rule such as 'result(X) <- table(X, Y), Y > 10.'",
    },
];

/** Returns the call that casts a value to a SQL type; undefined for a type without a cast. */
function castOf(value: string, type: string): string | undefined {
    const cast = CASTS.find(([types]) => types.test(type))?.[1];
    return cast === undefined ? undefined : `${cast}(${value})`;
}

function post(predicate: string, directive: string): Instead {
    return { name: 'post', text: `@post("${predicate}", "${directive}")` };
}

/** Advises how to count a rank. The atom of the clause with the ORDER BY column is read once more. */
function ranked(match: RegExpMatchArray): string {
    const [, result = '', by = '', direction] = match;
    const atoms = (match.input ?? '').match(/\b[a-z]\w*\([^()]*\)/gu) ?? [];
    const atom = atoms.slice(1).find(text => new RegExp(`\\b${by}\\b`, 'u').test(text));
    const others = (atom ?? `p(${by})`).replace(/\b[A-Z]\w*\b/gu, name => (name === by ? `Other${by}` : '_'));
    const sign = direction?.toLowerCase() === 'desc' ? '>=' : '<=';
    return say`write '${others}, Other${by} ${sign} ${by}, ${result} = count(1, <Other${by}>)', with ${by} in the head: it counts the values up to this one`;
}

/** Builds the rule that selects columns of one table. Further columns of the table are unknown here. */
function ruleFor(columns: string, table: string, where: string, name = 'result'): string {
    const selected = columns.split(',').map(column => capitalised(column.trim()));
    const tested = [...where.matchAll(/"[^"]*"|'[^']*'|\b(?!and\b)([a-z_]\w*)/giu)].flatMap(([, column]) => column ?? []).map(capitalised);
    const condition = where
        .split(/\s+and\s+/iu)
        .map(part => comparison(part).replace(/"[^"]*"|\b[a-z_]\w*/giu, word => (word.startsWith('"') ? word : capitalised(word))));
    const body = [`${uncapitalised(table)}(${[...new Set([...selected, ...tested])].join(', ')})`, ...(where === '' ? [] : condition)];
    return `${name}(${selected.join(', ')}) <- ${body.join(', ')}`;
}

/** Writes a condition with `==` for `=`, and texts in double quotes. */
function comparison(condition: string): string {
    return requoted(condition.trim().replace(/(?<![<>=!])=(?!=)/gu, '=='));
}

function columnType(type: string): string {
    if (/^(?:int|bigint|smallint|serial)/iu.test(type)) return 'int';
    if (/^(?:double|decimal|numeric|float|real)/iu.test(type)) return 'double';
    if (/^bool/iu.test(type)) return 'boolean';
    if (/^timestamp|^datetime/iu.test(type)) return 'timestamp';
    return /^date/iu.test(type) ? 'date' : 'string';
}

/** SQL types in casts, with our functions for them. */
const CASTS: readonly (readonly [types: RegExp, cast: string])[] = [
    [/^(?:small|tiny)?int(?:eger)?$/iu, 'as_int'],
    [/^(?:bigint|long)$/iu, 'as_long'],
    [/^(?:double|float|real|decimal|numeric)$/iu, 'as_double'],
    [/^(?:text|string|varchar|char)$/iu, 'as_string'],
];
