import { readLambda } from '#language/library/lambda/read-lambda.ts';
import { INT } from '#language/library/result-types.ts';
import { printExpression } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { smallInteger, TRUE } from '../../values/dictionary.ts';
import { elementType } from '../../values/text.ts';
import type { ValueId } from '../../values/value-id.ts';
import { type CallSite, eager, type Family } from './builtin.ts';

/** Functions that apply a small function to each element (6.9, D-56). */
export const LAMBDA_FUNCTIONS: Family = [
    [
        'collections:transform',
        eager(site => {
            const { dictionary } = site;
            const apply = lambdaOf(site);
            return args => dictionary.list(dictionary.membersOf(args[0]!).map(apply));
        }),
    ],
    [
        'collections:filter',
        eager(site => {
            const { dictionary } = site;
            const apply = lambdaOf(site);
            return args => dictionary.list(dictionary.membersOf(args[0]!).filter((element, i) => apply(element, i) === TRUE));
        }),
    ],
];

/** Compiles the second argument as a function of an element and its position. A text that is not a lambda ends the run (RT023). */
function lambdaOf({ types, written, compileBody, stop }: CallSite): (element: ValueId, position: number) => ValueId {
    const text = written[1]!;
    if (text.kind !== 'string') return stop('RT023', printExpression(text), say`a lambda is a constant string`);
    const read = readLambda(text.value, text.span);
    if (!read.ok) {
        const { kind, words } = read.problem;
        return stop('RT023', text.value, kind === 'syntax' ? words : say`'${words}' stands for nothing`);
    }
    const { parameters, body } = read.lambda;
    const evaluate = compileBody(body, new Map(parameters.map((name, i) => [name, i === 0 ? elementType(types[0]!) : INT])));
    const registers = new Int32Array(2);
    return (element, position) => {
        registers[0] = element;
        registers[1] = smallInteger(position);
        return evaluate(registers);
    };
}
