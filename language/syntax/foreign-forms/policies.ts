import { type ForeignForm, leftOut } from './foreign-form.ts';

const CALL = String.raw`[a-z]\w*\([^()]*\)`;

/** Forms of Rego, SPARQL and other languages of rules and queries. */
export const POLICY_FORMS: readonly ForeignForm[] = [
    leftOut('default', /^default\s+\w+(?:\([^()]*\))?\s*:?=\s*\w+/gu, 'what no rule derives does not hold'),
    leftOut('package', /^package\s+[\w.]+/gu, 'a program needs no name'),
    leftOut('PREFIX', /^@?prefix\s[^\n]*/giu, 'names are texts in double quotes'),
    {
        pattern: /^([a-z]\w*)\s+contains\s+([A-Z]\w*)\s+if\s*\{?([^{}]*[^{}.\s])\s*\}?(?=\s*(?:\.\s*)?$)/gu,
        name: 'contains',
        written: ([, name, term, body]) => `${name}(${term}) <- ${body?.trim()}`,
    },
    {
        name: '{ … }',
        pattern: new RegExp(String.raw`^([a-z]\w*)(\([^()]*\))?\s*(?:if\s*)?\{\s*((?:not\s+)?${CALL}[^{}]*?)\s*\}`, 'gu'),
        written: ([, name, terms, body = '']) => `${name}${terms ?? '()'} <- ${body.replace(/\s*[;\n]\s*/gu, ', ')}`,
    },
    { name: 'some', pattern: /\bsome\s+([A-Z]\w*)\s+in\s+(?=[[{])/gu, written: ([, name]) => `${name} in ` },
    { name: 'some', pattern: /\bsome\s+([A-Z]\w*)\s+in\s+([a-z]\w*)/gu, written: ([, name, table]) => `${table}(${name})` },
    {
        name: 'some',
        pattern: /\bsome\s+[A-Z]\w*(?:\s*,\s*[A-Z]\w*)*\s*(?:,|;|(?=\.))\s*/gu,
        written: () => '',
        instead: 'variables are not declared',
    },
    {
        name: 'every',
        pattern: /\bevery\s+([A-Z]\w*)\s+in\s+([a-z]\w*)\s*\{([^{}]+)\}/gu,
        written: ([form]) => form,
        helper: ([, name = '', table = '', condition = '']) => ({
            name: `${table}_without`,
            terms: '',
            body: `${table}(${name}), !(${condition.trim()})`,
        }),
    },
    { name: 'input', pattern: /\binput\.([a-z]\w*)/gu, written: ([, name]) => `?${name}` },
    {
        name: 'OPTIONAL',
        pattern: /\boptional\s*\{[^{}]*\}/giu,
        written: () => '',
        words: "write two rules: one with both atoms, one with 'not …' for the rows without a partner",
    },
    {
        name: 'BIND',
        pattern: /\bbind\s*\(([^()]+?)\sas\s+([A-Za-z]\w*)\s*\)/giu,
        written: ([, value, name]) => `${name} = ${value?.trim()}`,
    },
];
