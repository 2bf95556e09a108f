import { type ForeignForm, leftOut, requoted } from './foreign-form.ts';

/** Forms of spreadsheets. */
export const SHEET_FORMS: readonly ForeignForm[] = [
    {
        name: 'VLOOKUP',
        pattern: /\b([A-Z]\w*)\s*=\s*[VX]LOOKUP\(([^,;()]+)[,;]\s*([a-z]\w*)\b[^()]*\)/gu,
        written: ([, result, key = '', table]) => `${table}(${requoted(key.trim())}, ${result})`,
    },
    {
        name: 'SUMIF',
        pattern: /\b([A-Z]\w*)\s*=\s*(SUM|AVERAGE)IFS?\(\s*([a-z]\w*)\s*[,;]\s*("\w[^"]*"|-?\d+|[A-Z]\w*)\s*[,;]\s*([A-Z]\w*)\s*\)/gu,
        written: ([, result, name, table, key, value]) =>
            `${table}(${key}, ${value}), ${result} = ${name === 'SUM' ? 'sum' : 'avg'}(${value})`,
    },
    {
        name: 'COUNTIF',
        pattern: /\b([A-Z]\w*)\s*=\s*COUNTIFS?\(\s*([a-z]\w*)\s*[,;]\s*("\w[^"]*"|-?\d+|[A-Z]\w*)\s*\)/gu,
        written: ([, result, table, key]) => `${table}(${key}), ${result} = count()`,
    },
    {
        name: 'IFERROR',
        pattern: /\bIFERROR\(([^,;()/]+)\/\s*([A-Z]\w*)\s*[,;]([^,;()]+)\)/gu,
        written: ([, above, below, instead]) => `if(${below} != 0, ${above?.trim()} / ${below}, ${instead?.trim()})`,
    },
    {
        name: ([form]) => form.replace(/^.*?\(\s*|\s*\)$/gu, ''),
        pattern: /\b[A-Z]+\(\s*[A-Z]{1,2}\d+:[A-Z]{1,2}\d+\s*\)/giu,
        written: () => '',
        words: "write an atom with a variable for the column, such as 'p(_, B), T = sum(B)': an aggregate takes all rows of its body",
    },
    { name: '= =', pattern: /=\s+=(?!=)/gu, written: () => '=' },
    leftOut('=', /(?<=[(,]\s*)=(?!=)\s*/gu, 'an expression needs no sign before it'),
];
