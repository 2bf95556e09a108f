import { compareValues, comparisonClass } from '../../values/order.ts';
import type { ValueId } from '../../values/value-id.ts';
import { isDouble, isIntegral } from '../expression-arithmetic.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { type RoundingMode, roundToInteger, roundToScale, roundToTens } from './rounding.ts';

/** A function of doubles; where it has no finite value the result is unknown. */
function real(compute: (x: number, y: number) => number): Builtin {
    return eager(({ dictionary, undefinedFor }) => {
        return args => {
            const result = compute(dictionary.numberOf(args[0]!), args.length > 1 ? dictionary.numberOf(args[1]!) : 0);
            return Number.isFinite(result) ? dictionary.number(result) : undefinedFor(args);
        };
    });
}

/** Mathematical functions (6.3), but for the random ones. */
export const MATH_FUNCTIONS: Family = [
    ['math:mod', eager(modulo)],
    ['math:sqrt', real(Math.sqrt)],
    ['math:abs', eager(absolute)],
    ['math:round', eager(site => rounding(site, 'half-up'))],
    ['math:bround', eager(site => rounding(site, 'half-even'))],
    ['math:min', eager(site => extreme(site, -1))],
    ['math:max', eager(site => extreme(site, 1))],
    ['math:log', real(x => (x > 0 ? Math.log(x) : Number.NaN))],
    ['math:log10', real(x => (x > 0 ? Math.log10(x) : Number.NaN))],
    ['math:pow', real((x, y) => x ** y)],
    ['math:exp', real(Math.exp)],
    ['math:ceil', eager(site => integerOf(site, Math.ceil))],
    ['math:floor', eager(site => integerOf(site, Math.floor))],
    ['math:sin', real(Math.sin)],
    ['math:cos', real(Math.cos)],
    ['math:tan', real(Math.tan)],
    [
        'math:PI',
        eager(
            ({ dictionary }) =>
                () =>
                    dictionary.number(Math.PI),
        ),
    ],
    [
        'math:E',
        eager(
            ({ dictionary }) =>
                () =>
                    dictionary.number(Math.E),
        ),
    ],
];

/** The remainder with the sign of the first argument, exact for integers. */
function modulo({ dictionary, types, divisionByZero }: CallSite): Implementation {
    const doubles = types.some(isDouble);
    return args => {
        const x = args[0]!;
        const y = args[1]!;
        if (dictionary.numberOf(y) === 0) return divisionByZero();
        if (doubles || !isIntegral(dictionary, x) || !isIntegral(dictionary, y)) {
            return dictionary.number(dictionary.numberOf(x) % dictionary.numberOf(y));
        }
        return dictionary.bigint(dictionary.bigintOf(x) % dictionary.bigintOf(y));
    };
}

function absolute({ dictionary, types, overflow }: CallSite): Implementation {
    const doubles = isDouble(types[0]!);
    return args => {
        const x = args[0]!;
        if (doubles || !isIntegral(dictionary, x)) return dictionary.number(Math.abs(dictionary.numberOf(x)));
        const value = dictionary.bigintOf(x);
        const size = value < 0n ? -value : value;
        return size >= 2n ** 63n ? overflow() : dictionary.bigint(size);
    };
}

function rounding(site: CallSite, mode: RoundingMode): Implementation {
    const { dictionary } = site;
    if (site.types.length < 2) return integerOf(site, x => roundToInteger(x, mode));
    return args => {
        const scale = dictionary.numberOf(args[1]!);
        if (dictionary.isInteger(args[0]!)) {
            if (scale >= 0) return args[0]!;
            if (isIntegral(dictionary, args[0]!)) return wholeRounded(site, args, scale, mode);
        }
        const result = roundToScale(dictionary.numberOf(args[0]!), scale, mode);
        return Number.isFinite(result) ? dictionary.number(result) : site.undefinedFor(args);
    };
}

/** Rounds a whole number within 64 bits to tens, hundreds and so on, exactly; beyond 64 bits the result is the nearest double. */
function wholeRounded({ dictionary }: CallSite, args: Int32Array, scale: number, mode: RoundingMode): ValueId {
    const result = roundToTens(dictionary.bigintOf(args[0]!), -scale, mode);
    return BigInt.asIntN(64, result) === result ? dictionary.bigint(result) : dictionary.number(Number(result));
}

/** A whole number within 64 bits; an integer is its own. */
function integerOf({ dictionary, undefinedFor }: CallSite, round: (x: number) => number): Implementation {
    return args => {
        const x = args[0]!;
        if (isIntegral(dictionary, x)) return x;
        const result = round(dictionary.numberOf(x));
        return Math.abs(result) < 2 ** 63 ? dictionary.number(result) : undefinedFor(args);
    };
}

/** The smallest or largest of the known arguments, which are of one comparison class. */
function extreme({ dictionary, missing, undefinedFor }: CallSite, sign: 1 | -1): Implementation {
    return args => {
        let best: ValueId | undefined;
        for (let i = 0; i < args.length; i++) {
            const value = args[i]!;
            if (dictionary.isNull(value)) continue;
            if (best !== undefined && comparisonClass(dictionary, value) !== comparisonClass(dictionary, best)) return undefinedFor(args);
            if (best === undefined || sign * compareValues(dictionary, value, best) > 0) best = value;
        }
        return best ?? missing(args);
    };
}
