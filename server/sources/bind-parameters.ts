import { type ReportContext, stop } from '#engine/reports.ts';
import { dateText, timestampText } from '#engine/values/calendar.ts';
import { doubleText } from '#engine/values/text.ts';
import type { Bind, Parameter } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';

/** The text of each parameter: what the host gave, else the default in its text form. */
export function parameterTexts(declared: ReadonlyMap<string, Parameter>, given: ReadonlyMap<string, unknown>): Map<string, string> {
    const texts = new Map<string, string>();
    for (const [name, { value }] of declared) {
        const text = value === undefined ? undefined : constantText(value);
        if (text !== undefined) texts.set(name, text);
    }
    for (const [name, value] of given) texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    return texts;
}

/** The bind with parameters put in place of `${name}`; `$${` stands for itself. A name without value ends the run. */
export function withParameters(bind: Bind, texts: ReadonlyMap<string, string>, context: ReportContext): Bind {
    const put = (text: string): string =>
        text.replace(/\$(\$\{)|\$\{([A-Za-z][A-Za-z0-9_]*)\}/g, (whole: string, literal: string | undefined, name: string | undefined) => {
            if (literal !== undefined) return literal;
            return (
                texts.get(name ?? '') ??
                stop('RT063', context, whole, 'no parameter has this name, and secrets do not belong in files and paths')
            );
        });
    const options = new Map([...bind.options].map(([key, value]) => [key, put(value)]));
    return { ...bind, options, outer: put(bind.outer), inner: put(bind.inner) };
}

function constantText(value: Expression): string | undefined {
    switch (value.kind) {
        case 'string':
            return value.value;
        case 'integer':
            return String(value.value);
        case 'double':
            return doubleText(value.value);
        case 'boolean':
            return String(value.value);
        case 'date':
            return dateText(value.days);
        case 'timestamp':
            return timestampText(value.micros);
        case 'unary': {
            const operand = constantText(value.operand);
            return value.operator === '-' && operand !== undefined ? `-${operand}` : undefined;
        }
        default:
            return undefined;
    }
}
