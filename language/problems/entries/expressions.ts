import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

const TIME_ALONE = /^\d{1,2}:/u;
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/u;

/** RL4xxx and RL5xxx: constant conditions and functions. */
export const EXPRESSION_PROBLEMS = {
    RL4001: {
        name: 'undefined-operation',
        severity: 'error',
        message: (operator: string, types: readonly string[]) => say`Operator '${operator}' is not defined for ${types.join(say` and `)}`,
        why: 'The operator has no meaning for values of these types, so no row could ever pass it.',
        example: 'p("a"). @output("h"). h(Y) <- p(X), Y = X * 2.',
    },
    RL4002: {
        name: 'comparison-of-classes',
        severity: 'warning',
        message: (a: string, b: string, value: boolean) => say`Comparing ${a} with ${b} is always ${value}`,
        remedy: 'convert one side, as with as_double(…), or declare the column in @model',
        why: 'Values of different kinds are never equal and have no order. The condition has the same result for every row.',
        example: 'p(1). @output("h"). h(X) <- p(X), X == "1".',
    },
    RL4003: {
        name: 'number-needed',
        severity: 'error',
        message: (f: string, v: string, type: string) => say`'${f}' needs a number but ${v} is ${type}`,
        remedy: 'cast it: as_double(…)',
        why: 'Only numbers can be added up, multiplied or averaged. Texts that look like numbers have to be converted, so that it is clear what becomes of those that are none.',
        example: 'p("a"). @output("h"). h(S) <- p(X), S = msum(X).',
    },
    RL4004: {
        name: 'condition-type',
        severity: 'error',
        message: (type: string) => say`A condition must be boolean but this is ${type}`,
        why: 'A condition is true or false for a row. Any other value does not say whether the row stays.',
        example: 'p(1). @output("h"). h(X) <- p(X), X + 1.',
    },
    RL4005: {
        name: 'collection-needed',
        severity: 'error',
        message: () => say`'in' needs a list or set on the right`,
        remedy: "write '==', or braces around it",
        why: "'in' asks whether a value is an element, so there must be a collection on its right. A single value is compared with '=='.",
        example: 'p(1). @output("h"). h(X) <- p(X), X in 3.',
    },
    RL4010: {
        name: 'division-by-zero',
        severity: 'error',
        message: () => say`Division by zero`,
        why: 'A division by zero has no result and ends the run. This divisor is always zero.',
        example: 'p(1). @output("h"). h(Y) <- p(X), Y = X / 0.',
    },
    RL4011: {
        name: 'constant-condition',
        severity: 'warning',
        message: (value: boolean) => say`Condition is always ${value}`,
        remedy: 'remove it',
        why: 'A condition that is the same for all rows keeps all of them, or makes the rule derive nothing.',
        example: 'p(1). @output("h"). h(X) <- p(X), 3 < 5.',
    },
    RL4012: {
        name: 'empty-interval',
        severity: 'warning',
        message: () => say`Empty interval`,
        remedy: 'swap the bounds',
        why: 'The lower bound is greater than the upper one, so no value lies between.',
        example: 'p(1). @output("h"). h(X) <- p(X), between(X, 9, 3).',
    },
    RL4013: {
        name: 'contradictory-conditions',
        severity: 'warning',
        message: (s: string) => say`Conditions contradict each other: ${s}`,
        why: 'No value can meet both conditions, so the rule never derives anything.',
        example: 'p(1). @output("h"). h(X) <- p(X), X > 5, X < 3.',
    },
    RL4014: {
        name: 'implied-condition',
        severity: 'hint',
        message: () => say`Condition is implied by another one`,
        remedy: 'remove it',
        why: 'Every value that meets the other condition meets this one too.',
        example: 'p(1). @output("h"). h(X) <- p(X), X > 5, X > 3.',
        tags: ['unnecessary'],
    },
    RL4015: {
        name: 'date-and-text',
        severity: 'warning',
        message: () => say`Comparing a date with text; convert it first`,
        remedy: "write 'as_date(…)' or a date",
        why: 'Text and dates are ordered in different ways, and they are never equal. Comparing as dates needs two dates.',
        example: 'p(2031-04-09). @output("h"). h(X) <- p(X), X > "2031-01-01".',
    },
    RL4016: {
        name: 'date-as-difference',
        severity: 'warning',
        message: (text: string, value: number) => say`'${text}' is the number ${value}, not a date`,
        why: 'A date has four digits for its year and two for month and day. Without them it is read as two subtractions.',
        example: 'p(2031-04-09). @output("h"). h(X, D) <- p(X), D = 2031-4-9.',
    },
    RL4020: {
        name: 'mixed-column',
        severity: 'information',
        message: (p: string, n: number, types: string) => say`Column ${n} of '${p}' has mixed types: ${types}`,
        remedy: 'add a @model that says which is meant',
        why: 'The column holds values of different kinds, such as numbers and texts. They never join or compare with each other, and sorting puts one kind behind the other.',
        example: 'p(1). p("a"). @output("h"). h(X) <- p(X).',
    },
    RL4021: {
        name: 'unconvertible-constant',
        severity: 'error',
        message: (type: string, wanted: string, p: string, column: string) =>
            say`${type} cannot be converted to ${wanted} for '${p}' column '${column}'`,
        remedy: 'change the model or the value',
        why: 'The model says what the column holds, and this constant is something else and cannot be turned into it.',
        example: 'p("x"). @model("p", "[\'n: int\']"). @output("h"). h(X) <- p(X).',
    },
    RL4022: {
        name: 'join-of-classes',
        severity: 'warning',
        message: (v: string, a: string, b: string, isAbsence?: boolean) =>
            isAbsence === true
                ? say`'not' holds for every '${v}': ${a} and ${b} are never equal`
                : say`Join on '${v}' never matches: ${a} and ${b}`,
        remedy: 'convert one side, as with as_double(…), or declare the column in @model',
        why: 'A number never equals a text, so no row of one predicate finds a partner in the other. Mostly a column of a file was read as text.',
        example: 'p(1). q("a"). @output("h"). h(X) <- p(X), q(X).',
    },
    RL4023: {
        name: 'text-order',
        severity: 'warning',
        message: (column: string, p: string, low: string, high: string, _model?: string, _needsNulls?: boolean) =>
            say`Column '${column}' of '${p}' is text, in whose order '${low}' comes behind '${high}'`,
        why: 'The cells of a CSV file are texts until a model gives them a type. Texts are compared sign by sign, so that the greatest, the least and the order of numbers are others than one expects. It is said once for each column, where its order matters first.',
        example: `@bind("p", "csv useHeaders=true", "data", "p.csv"). @output("h"). h(M) <- p(X), M = max(X).`,
        schemas: { p: { columns: [{ name: 'n', texts: { records: 2, empty: 0, seems: 'int', misordered: ['9', '100'] } }] } },
    },
    RL4024: {
        name: 'empty-text',
        severity: 'warning',
        message: (column: string, p: string, empty: string, records: string) =>
            say`Column '${column}' of '${p}' has empty texts where its file has nothing (${empty} of ${records} records), and those are not unknown`,
        remedy: "write nullString='' in the bind",
        why: "An empty cell of a CSV file is the empty text. With 'nullString' the bind says which text stands for an unknown value.",
        example: `@bind("p", "csv useHeaders=true", "data", "p.csv"). @output("h"). h(X) <- p(X, Y), is_null(Y).`,
        schemas: { p: { columns: [{ name: 'a' }, { name: 'b', texts: { records: 3, empty: 1, seems: 'string' } }] } },
    },
    RL4025: {
        name: 'text-day-order',
        severity: 'warning',
        message: (column: string, p: string, early: string, late: string) =>
            TIME_ALONE.test(early)
                ? say`Column '${column}' of '${p}' is text, in whose order the time '${early}' comes behind '${late}'`
                : say`Column '${column}' of '${p}' is text, in whose order the day '${early}' comes behind '${late}'`,
        remedy: 'compare as_date(date:to_timestamp(…, "d.M.yyyy"))',
        why: 'The cells of a CSV file are texts until a model gives them a type, and a model reads days as 2031-04-09 alone. Texts are compared sign by sign, so that the last of days in another form is not the greatest text. It is said once for each column, where its order matters first.',
        example: `@bind("p", "csv useHeaders=true", "data", "p.csv"). @output("h"). h(M) <- p(X), M = max(X).`,
        schemas: {
            p: {
                columns: [
                    {
                        name: 'd',
                        texts: { records: 2, empty: 0, seems: 'string', days: ['d.M.yyyy'], misordered: ['31.12.2030', '01.02.2031'] },
                    },
                ],
            },
        },
    },
    RL4026: {
        name: 'mixed-numbers',
        severity: 'warning',
        message: (column: string, p: string, number: string, text: string, _model?: string, _needsNulls?: boolean) =>
            DAY_ALONE.test(number)
                ? say`Column '${column}' of '${p}' has texts that read as days, such as ${text}, beside days such as ${number}, and these are never equal or in order`
                : say`Column '${column}' of '${p}' has texts that read as numbers, such as ${text}, beside numbers such as ${number}, and these are never equal or in order`,
        why: 'JSON, Excel sheets and other sources with types may write one number as a number here and as a text there, and rules may bring numbers together with the texts of a CSV file. A number never equals a text: such values are grouped, joined and counted apart, and the greatest of them is a text. It is said once for each column, where that matters first.',
        example: `@bind("p", "json", "data", "p.json"). @output("h"). h(X, N) <- p(X), N = count().`,
        schemas: {
            p: { columns: [{ name: 'n', type: { kind: 'mixed' }, texts: { records: 1, empty: 0, seems: 'int', mixed: ['1', '"1"'] } }] },
        },
    },
    RL4027: {
        name: 'day-forms',
        severity: 'warning',
        message: (column: string, p: string, one: string, other: string) =>
            say`Column '${column}' of '${p}' is text with days in several forms, such as '${one}' and '${other}', in whose order they do not follow each other`,
        remedy: 'write them as 2031-04-09 in the file, or read each form by a rule of its own, with as_date(date:to_timestamp(…, "d.M.yyyy"))',
        why: 'Texts are compared sign by sign, so that days in different forms come in an order that is none of days, and no single pattern reads all of them. It is said once for each column, where its order matters first.',
        example: `@bind("p", "csv useHeaders=true", "data", "p.csv"). @output("h"). h(M) <- p(X), M = max(X).`,
        schemas: {
            p: {
                columns: [
                    { name: 'd', texts: { records: 2, empty: 0, seems: 'string', days: [], misordered: ['2031-01-05', '5.1.2031'] } },
                ],
            },
        },
    },
    RL4028: {
        name: 'joined-numbers',
        severity: 'warning',
        message: (column: string, p: string, text: string, _number?: string, _model?: string, _needsNulls?: boolean) =>
            say`'+' joins texts here: column '${column}' of '${p}' is text, though its texts read as numbers, such as ${text}`,
        why: 'The cells of a CSV file are texts until a model gives them a type, and the sum of a text and something else is a text: "15" + 1 is "151".',
        example: `@bind("p", "csv useHeaders=true", "data", "p.csv"). @output("h"). h(Y) <- p(X), Y = X + 1.`,
        schemas: { p: { columns: [{ name: 'n', texts: { records: 1, empty: 0, seems: 'int', number: '15' } }] } },
    },
    RL4030: {
        name: 'null-comparison',
        severity: 'warning',
        message: () => say`Use is_null() to test for null`,
        remedy: "write 'is_null(…)' or 'is_not_null(…)'",
        why: "An unknown value equals only itself, and each 'null' in a program is a new one. So the comparison does not tell whether the value is unknown.",
        example: 'p(1). @output("h"). h(X) <- p(X), X == null.',
    },
    RL4031: {
        name: 'constant-of-other-class',
        severity: 'warning',
        message: (n: number, p: string, type: string, constant: string) =>
            say`Column ${n} of '${p}' is ${type}, so no row has ${constant} there`,
        remedy: 'write a value of this type, or a variable',
        why: 'Values of different kinds are never equal, so no row fits the atom. Mostly a variable was put in quotes, a number was written as text, or the columns stand in another order.',
        example: 'p("a", 1). @output("h"). h(X) <- p(X, "N").',
    },
    RL4032: {
        name: 'null-in-body',
        severity: 'warning',
        message: (written: string, isVariable: boolean) =>
            isVariable
                ? say`'${written}' is a variable here, which every value fits`
                : say`'${written}' is a new unknown value here, which no fact has`,
        remedy: "write a variable, and 'is_null(…)' of it",
        why: "Each 'null' in a rule is an unknown value of its own, so no fact fits an atom with one. 'None' and its like are variables: all facts fit.",
        example: 'p(1, 2). @output("h"). h(X) <- p(X, null).',
    },
    RL5001: {
        name: 'unknown-function',
        severity: 'error',
        message: (f: string) => say`Unknown function '${f}'`,
        why: 'No function has this name. Mostly it is misspelt, or called otherwise here; docs/functions.md lists them all.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = lenght(S).',
    },
    RL5002: {
        name: 'function-arguments',
        severity: 'error',
        message: (f: string, n: string, m: number) => say`'${f}' takes ${n} arguments but ${m} are given`,
        why: 'The function expects another number of arguments, so it is not clear which value is meant for what.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = string_length(S, S).',
    },
    RL5003: {
        name: 'argument-type',
        severity: 'error',
        message: (n: number, f: string, t: string) => say`Argument ${n} of '${f}' must be ${t}`,
        why: 'The function has no result for an argument of this type.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = math:sqrt("a").',
    },
    RL5004: {
        name: 'invalid-option',
        severity: 'error',
        message: (s: string, what: string, expected: string) => say`'${s}' is not a valid ${what}; expected ${expected}`,
        why: 'The function knows a fixed set of words or numbers for this argument, and this is none of them.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = hash:sha2(S, 200).',
    },
    RL5005: {
        name: 'invalid-pattern',
        severity: 'error',
        message: (s: string) => say`Invalid pattern: ${s}`,
        why: 'The text is no regular expression, so nothing could be compared with it. Signs such as ( [ * + are operators in a pattern; a backslash, doubled in a string, makes them text.',
        example: 's("a"). @output("h"). h(S) <- s(S), rlike(S, "(").',
    },
    RL5006: {
        name: 'malformed-schema',
        severity: 'error',
        message: (s: string) => say`Malformed schema text: ${s}`,
        remedy: 'Write "name:type, name:type".',
        why: 'The text of a schema gives the name and the type of each field, in order. It is read before the run, so it has to be complete.',
        example: 's("{}"). @output("h"). h(N) <- s(S), N = as_struct(S, "a").',
    },
    RL5007: {
        name: 'computed-field-name',
        severity: 'error',
        message: () => say`Field names must be constant strings`,
        why: 'The fields of a struct are part of its type, which is known before the run. So their names stand in the program and are not computed.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = struct(S, 1).',
    },
    RL5008: {
        name: 'repeated-field',
        severity: 'error',
        message: (s: string) => say`Duplicate or unpaired field '${s}'`,
        why: 'A struct is a list of names, each with its value. A name that comes twice, or has no value, leaves open what the field holds.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = struct("a", 1, "a", S).',
    },
    RL5009: {
        name: 'unknown-struct-field',
        severity: 'error',
        message: (s: string) => say`Struct has no field '${s}'`,
        why: 'The struct was made with other fields, so this one is always unknown.',
        example: 'p(1). @output("h"). h(Y) <- p(X), S = struct("name", X), Y = struct:get("nam", S).',
    },
    RL5010: {
        name: 'chance-in-recursion',
        severity: 'information',
        message: (f: string) => say`'${f}' is non-deterministic inside recursion`,
        why: 'The function gives another value for each row that it is asked for, and a recursion may ask in any order. Two runs can differ, unless --seed fixes the values.',
        example: 'p(1, 2). @output("h"). h(X, R) <- p(X, _), R = uuid(). h(Y, R) <- h(X, _), p(X, Y), R = uuid().',
    },
    RL5011: {
        name: 'position-zero',
        severity: 'warning',
        message: () => say`Positions start at 1`,
        why: 'The first element has position 1; negative positions count from the end. Position 0 is always unknown.',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:get(S, 0).',
    },
    RL5012: {
        name: 'explode-place',
        severity: 'error',
        message: () => say`'explode' must be the whole right side of an assignment`,
        remedy: 'Assign it to a variable of its own first.',
        why: "'explode' makes one row of each element, so it cannot stand inside an expression, which has one value.",
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:explode(S) + 1.',
    },
    RL5013: {
        name: 'lambda-syntax',
        severity: 'error',
        message: (s: string) => say`Lambda syntax: ${s}`,
        remedy: 'Write "x -> …" or "(x, i) -> …".',
        why: 'A lambda is a small expression in a string: the name of an element, an arrow, and what becomes of it. This one cannot be read.',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:filter(S, "x => x").',
    },
    RL5014: {
        name: 'unknown-lambda-name',
        severity: 'error',
        message: (s: string) => say`Unknown name '${s}' in lambda`,
        why: 'A lambda sees its own parameters and nothing else: no variables of the rule, no columns.',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:filter(S, "x -> y").',
    },
    RL5015: {
        name: 'computed-lambda',
        severity: 'error',
        message: () => say`The lambda must be a constant string`,
        why: 'A lambda is read and checked before the run. So it stands in the program as a text and does not come from data.',
        example: 's([1], "x"). @output("h"). h(N) <- s(S, L), N = collections:filter(S, L).',
    },
    RL5016: {
        name: 'unknown-pattern-letter',
        severity: 'error',
        message: (s: string) => say`Unknown pattern letter '${s}'`,
        why: 'A pattern is made of letters for parts of a date, and this letter stands for none. Literal text goes in single quotes.',
        example: 's(2031-04-09). @output("h"). h(N) <- s(S), N = date:format(S, "YYYY").',
    },
    RL5020: {
        name: 'literal-replace',
        severity: 'hint',
        message: () => say`'replace' is literal; this looks like a pattern`,
        why: "'replace' looks for exactly this text, letter by letter. The signs of a pattern are hardly ever meant as text.",
        example: 's("a"). @output("h"). h(N) <- s(S), N = replace(S, "\\\\s+", "").',
    },
    RL5021: {
        name: 'needs-provider',
        severity: 'warning',
        message: (f: string) => say`'${f}' needs a provider: where none is configured, a run that needs its value ends`,
        remedy: 'run it where a provider is configured, or give its values as data',
        why: 'The value comes from outside, such as a language model or a function that @implement declares, and nothing here provides it. The program is checked, but a run that needs the value ends with RT060.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = llm:generate(S).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
