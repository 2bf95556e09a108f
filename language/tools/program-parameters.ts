import { typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED, printType } from '#language/program/types.ts';

/** A parameter of a program with the facts that a form for its value needs. */
export interface FillableParameter {
    readonly name: string;
    /** Of its default; absent where none is declared. */
    readonly type?: string;
    /** Its default as one would write it: texts without quotes, `true` and `false`; all else as a program has it. */
    readonly usual?: string;
}

/** The parameters of a program and its modules, in the order of their declarations; those that are only used come last. */
export function programParameters({ parameters }: AnalysedProgram): FillableParameter[] {
    return Array.from(parameters.values(), ({ name, value }) => {
        if (value === undefined) return { name };
        const type = printType(typeOfExpression(value, { variable: () => MIXED, parameter: () => MIXED }));
        return { name, type, usual: writtenDefault(value) };
    });
}

function writtenDefault(value: Expression): string {
    if (value.kind === 'string') return value.value;
    return value.kind === 'boolean' ? String(value.value) : printExpression(value);
}
