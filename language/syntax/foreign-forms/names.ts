import { calendarDate } from '#language/library/calendar-date.ts';
import { MONTHS } from '#language/program/day-patterns.ts';
import type { ForeignForm } from './foreign-form.ts';

const SHORT_MONTHS = MONTHS.map(name => name.slice(0, 3));

/** Comparisons in words, and their signs. */
const COMPARISONS: readonly (readonly [words: string, sign: string])[] = [
    ['(?:greater|more|larger|bigger|higher|older) than or equal(?: to)?|at least', '>='],
    ['(?:less|smaller|lower|fewer|younger) than or equal(?: to)?|at most', '<='],
    ['(?:greater|more|larger|bigger|higher|older) than|above|over', '>'],
    ['(?:less|smaller|lower|fewer|younger) than|below|under', '<'],
    ['not equals?(?: to)?', '!='],
    ['equals|equal(?: to)?', '=='],
];

/** Names and texts in forms that the language does not have. */
export const NAME_FORMS: readonly ForeignForm[] = [
    {
        pattern: /(?<=[(,=]\s*)"([^"\n]*)"([A-Za-z][^"\n]*)"([^"\n]*)"(?=\s*[,)])/gu,
        written: ([, before, inner, after]) => `"${before}\\"${inner}\\"${after}"`,
    },
    {
        pattern: /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/gu,
        written: ([, day, minutes, seconds = ':00']) => `${day} ${minutes}${seconds}`,
    },
    {
        name: ':',
        pattern:
            /(?<=[(,]\s*)([A-Z]\w*)\s*:\s*(?:string|str|text|int|integer|number|float|double|bool|boolean|date|datetime|timestamp|any)\b/gu,
        written: ([, name]) => name,
    },
    {
        name: '.',
        pattern: /(?<=(?:,|<-|:-|\bnot)\s*)[a-z]\w*\.([a-z]\w*)(?=\()/gu,
        written: ([, name]) => name,
    },
    {
        pattern: /^[a-z]\w*:?[ \t]*\n[ \t]*(?:-|\w+[,;])[\s\S]*/gu,
        written: () => '',
        words: 'write a fact for each row, such as \'person("ann", 3).\', or read a file of rows with \'@bind("person", "csv useHeaders=true", "folder", "file.csv").\'',
    },
    { name: '<!--', pattern: /^<!--[\s\S]*/gu, written: () => '', words: "write '%' before each line of a comment" },
    {
        pattern: /(?<=[(,]\s*)[A-Za-z]\w*(?:[ \t]+[A-Za-z]\w*)+(?=\s*[,)])/gu,
        written: ([words]) => (/\b(?:not|in|and|or|is|mod|AND|OR|NOT)\b/u.test(words ?? '') ? undefined : `"${words}"`),
    },
    {
        pattern: /(@[A-Za-z]\w*)[ \t]+(?:"([^"]*)"|([a-z]\w*))(?=\s*(?:\.|$))/gu,
        written: ([, annotation, quoted, bare]) => `${annotation}("${quoted ?? bare}")`,
    },
    { pattern: /^@[ \t]+([A-Za-z]\w*)/gu, written: ([, name]) => `@${name}` },
    { pattern: /^(?:import|include|using)\s+"([\w-]+)(?:\.\w+)?"/gu, written: ([, name]) => `@include("${name}")` },
    { pattern: /(?<=[(,]\s*)(?:\w+:\/\/[^\s,()"]+|[\w.+-]+@[\w-]+\.[\w.-]+)(?=\s*[,)])/gu, written: ([address]) => `"${address}"` },
    { pattern: /\b\d{1,2}:\d{2}(?::\d{2})?\b/gu, written: ([time]) => `"${time}"` },
    { pattern: /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/gu, written: ([, year = '', month = '', day = '']) => calendarDate(day, month, year) },
    { pattern: /\b\d{1,3}(?:\.\d{3}){2,}\b/gu, written: ([number = '']) => number.replaceAll('.', '') },
    { pattern: /(?<=[(,]\s*)\d+(?:\.\d+){2,}(?=\s*[,)])/gu, written: ([text]) => `"${text}"` },
    {
        pattern: new RegExp(String.raw`\b(\d{1,2})\.?\s+(${SHORT_MONTHS.join('|')})\w*\.?,?\s+(\d{4})\b`, 'gu'),
        written: ([, day = '', month = '', year = '']) => calendarDate(day, String(SHORT_MONTHS.indexOf(month) + 1), year),
    },
    {
        pattern: new RegExp(String.raw`\b(${SHORT_MONTHS.join('|')})\w*\.?\s+(\d{1,2}),?\s+(\d{4})\b`, 'gu'),
        written: ([, month = '', day = '', year = '']) => calendarDate(day, String(SHORT_MONTHS.indexOf(month) + 1), year),
    },
    { pattern: /(?<=[(,]\s*)\+?\d+(?:[ -]\d+)+(?=\s*[,)])/gu, written: ([text]) => `"${text}"` },
    {
        pattern: /\b(\d+(?:\.\d+)?)\s?(?:kg|km|cm|mm|g|m|l|h|s|min|px|EUR|USD|GBP|euros?|dollars?|years?|days?)\b/gu,
        written: ([, number]) => number,
    },
    { pattern: /[€£$]\s?(\d+(?:\.\d+)?)/gu, written: ([, number]) => number },
    { pattern: /\b(\d+(?:\.\d+)?)\s?[€£$]/gu, written: ([, number]) => number },
    {
        name: ([name]) => name.trim(),
        pattern: /(?<=[a-z]\w*\((?:[^()]*,)?\s*)[a-z]\w*\s*[:=]\s*(?=[A-Za-z_"\d][^=:()]*(?:,|\)))/gu,
        written: () => '',
        instead: 'columns are told apart by their place',
    },
    { pattern: /\b([a-z]\w*)\[([^[\]]*)\]/gu, written: ([, name, terms]) => `${name}(${terms})` },
    { pattern: /"([a-z]\w*)"(?=\()/gu, written: ([, name]) => name },
    { pattern: /\b[a-z]\w*(?:-[a-z]\w*)+(?=\()/gu, written: ([name = '']) => name.replaceAll('-', '_') },
    {
        pattern: /(?<![\w)\]"])[a-z]\w*[ \t]+[a-z]\w*(?=\()/gu,
        written: ([words = '']) => (/^(?:not|in|and|or|is|mod|if|where|when)\b/u.test(words) ? undefined : words.replace(/\s+/u, '_')),
    },
    {
        pattern: /(?<=[(,]\s*)(?:[\w-]+\/)*[\w-]+\.(?:csv|json|tsv|txt|parquet|xlsx|rulelang)(?=\s*[,)])/gu,
        written: ([path]) => `"${path}"`,
    },
    ...COMPARISONS.map(
        ([words, sign]): ForeignForm => ({
            pattern: new RegExp(String.raw`\b([A-Z]\w*)\s+(?:is\s+)?(?:${words})\s+(?=["\w-])`, 'gu'),
            written: ([, name]) => `${name} ${sign} `,
        }),
    ),
    {
        name: 'implied by',
        pattern: /(?<=^[a-z]\w*\([^()]*\)\s*)(?:is\s+)?(?:implied\s+by|follows\s+from|because)(?=\s+[a-z]\w*\()/gu,
        written: () => '<-',
    },
    { pattern: /(?<=\(\s*),/gu, written: () => '_,' },
    { pattern: /(?<=\)\s*)[!?]\s*$/gu, written: () => '.' },
    {
        pattern: /^([a-z]\w*)\(([^()]+)\)\s*=\s*("[^"]*"|[\w.-]*\w)(?=\s*\.?\s*$)/gu,
        written: ([, name, terms, value]) => `${name}(${terms}, ${value})`,
    },
    {
        pattern: /^([a-z]\w*):\s*([a-z]\w*(?:\s*,\s*[a-z]\w*)*)(?=\s*\.?\s*$)/gu,
        written: ([, name, values = '']) =>
            values
                .split(',')
                .map(value => `${name}("${value.trim()}")`)
                .join('. '),
    },
    { pattern: /^([A-Za-z]\w*)\s+is\s+an?\s+([a-z]\w*)(?=\s*\.?\s*$)/gu, written: ([, name, kind]) => `${kind}("${name}")` },
    {
        pattern: /^([a-z]\w*)((?:[ \t]+[a-z]\w*){1,3})(?=\s*\.?\s*$)/gu,
        written: ([, name, values = '']) =>
            `${name}(${values
                .trim()
                .split(/\s+/u)
                .map(value => `"${value}"`)
                .join(', ')})`,
    },
    {
        pattern: /^[A-Z]\w*(?:[ \t]+[\w']+){3,}[\s\S]*/gu,
        written: () => '',
        words: "write a rule, such as 'adult(X) <- person(X, Age), Age >= 18.'",
    },
    {
        pattern: /^[A-Z]\w*\s*(?:[<>]=?|==|!=)[\s\S]*/gu,
        written: () => '',
        words: "write it in the body of a rule, behind '<-' and a comma",
    },
    {
        pattern: /^[[{]\s*(?:\{\s*)?"[^"]*"\s*:[\s\S]*/gu,
        written: () => '',
        words: 'write a fact, such as \'person("ann", 3).\', or read a file of such objects with \'@bind("person", "json", "folder", "file.json").\'',
    },
    {
        pattern: /^\w+(?:[,;]\w+)+\s*\n[\s\S]*/gu,
        written: () => '',
        words: 'write a fact for each row, such as \'person("ann", 3).\', or read a file of rows with \'@bind("person", "csv useHeaders=true", "folder", "file.csv").\'',
    },
    {
        pattern: /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/gu,
        written: ([, first = '', second = '', year = '']) => calendarDate(first, second, year),
    },
    { pattern: /(?<=\([^()]*["\w])[ \t]+("[^"\n]*"|\d+|[A-Z]\w*)(?=\s*[,)])/gu, written: ([, term]) => `, ${term}` },
];
