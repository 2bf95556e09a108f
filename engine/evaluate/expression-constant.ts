import { typeOfConstant } from '#language/library/expression-type.ts';
import type { Constant } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import { UNKNOWN } from '#language/program/types.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Compiled } from './expression-site.ts';
import type { Scope } from './scope.ts';

export function compileConstant(constant: Constant, scope: Scope): Compiled {
    const { dictionary } = scope;
    switch (constant.kind) {
        case 'string':
            return known(dictionary.string(withParameters(constant.value, scope)), typeOfConstant(constant));
        case 'integer': {
            const value = typeof constant.value === 'bigint' ? dictionary.bigint(constant.value) : dictionary.number(constant.value);
            return known(value, typeOfConstant(constant));
        }
        case 'double':
            return known(dictionary.number(constant.value), typeOfConstant(constant));
        case 'boolean':
            return known(dictionary.boolean(constant.value), typeOfConstant(constant));
        case 'date':
            return known(dictionary.date(constant.days), typeOfConstant(constant));
        case 'timestamp':
            return known(dictionary.timestamp(constant.micros), typeOfConstant(constant));
        case 'null': {
            const source = `${scope.place.file}:${scope.place.offset + constant.span.start}`;
            return { evaluate: () => dictionary.freshNull(source), type: UNKNOWN };
        }
    }
}

export function known(value: ValueId, type: Type): Compiled {
    return { evaluate: () => value, type, constant: value };
}

/** The text with `${name}` replaced by the text of the parameter, and `$${` by a literal `${` (1.9). */
function withParameters(text: string, scope: Scope): string {
    if (!text.includes('${')) return text;
    return text.replaceAll(/\$\$\{|\$\{([A-Za-z][A-Za-z0-9_]*)\}/g, (written, name: string | undefined) => {
        if (name === undefined) return '${';
        const { value, type } = scope.parameter(name);
        return textOf(scope.dictionary, value, type, () => written);
    });
}
