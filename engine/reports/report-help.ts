import { type Report, type ReportArguments, type ReportCode, report, withMatch } from './reports.ts';

/** The text about a report besides its message. */
export interface ReportHelp<C extends ReportCode> {
    readonly title: string;
    /** Why it is said, in a sentence or two for someone who meets it for the first time. */
    readonly why: string;
    /** Sample arguments of the message. */
    readonly sample: ReportArguments<C>;
    /** The facts of the match that the message names. */
    readonly match?: readonly string[];
    /** A program that gets this report, where it takes neither files nor options. */
    readonly example?: string;
}

export const REPORT_HELP: { readonly [C in ReportCode]: ReportHelp<C> } = {
    RT010: {
        title: 'Integer overflow',
        why: "Whole numbers have 64 bits. A result beyond that is an error, because going on with a wrong number would be worse. In a product or a power, 'as_double' leaves more room.",
        sample: ['X * 2'],
        match: ['p(9223372036854775807)'],
        example: 'p(9223372036854775807). @output("h"). h(Y) <- p(X), Y = X * 2.',
    },
    RT011: {
        title: 'Division by zero',
        why: "A division by zero has no result. A condition before the division, such as 'N != 0', leaves out the rows concerned.",
        sample: ['X / N'],
        match: ['p(10,0)'],
        example: 'p(10, 0). @output("h"). h(Y) <- p(X, N), Y = X / N.',
    },
    RT020: {
        title: 'Comparison of different kinds',
        why: 'Numbers, texts and dates are never equal to each other and have no common order. Mostly a column was read as text; a model or a cast gives it its type.',
        sample: ['2', '"n/a"'],
        match: ['age("n/a")'],
        example: 'age(31). age("n/a"). @output("h"). h(X) <- age(X), X > 2.',
    },
    RT021: {
        title: 'Failed conversion',
        why: "A text that should become a number or a date is not one, or a number with a fraction should become an 'int' or 'long'. The row stays, with an unknown value in that place. '--strict' makes it an error.",
        sample: [1, 'int', undefined, undefined, '"n/a"'],
        match: ['age("n/a")'],
        example: 'age("31"). age("n/a"). @output("h"). h(Y) <- age(X), Y = as_int(X).',
    },
    RT022: {
        title: 'Number needed',
        why: 'Sums, products and averages need numbers, and one of the rows holds something else.',
        sample: ['msum', '"n/a"'],
        match: ['age("n/a")'],
        example: 'age(31). age("n/a"). @output("h"). h(S) <- age(X), S = msum(X).',
    },
    RT023: {
        title: 'Pattern that cannot be read',
        why: 'A pattern that comes from data or is put together in a rule can only be checked when it is used, and this one cannot be read.',
        sample: ['[a', 'unterminated character class'],
        match: ['rule("[a")'],
        example: 'rule("[a"). @output("h"). h(X) <- rule(X), rlike("abc", X).',
    },
    RT024: {
        title: 'Function undefined for a value',
        why: 'The function has no result for this number, such as the square root of a negative one. The row stays, with an unknown value in that place.',
        sample: ['math:sqrt', '-1.0'],
        match: ['p(-1.0)'],
        example: 'p(-1.0). @output("h"). h(Y) <- p(X), Y = math:sqrt(X).',
    },
    RT025: {
        title: 'Argument out of bounds',
        why: 'The function takes only values within certain bounds. A condition before the call leaves out the others.',
        sample: ['math:uniform', '0'],
    },
    RT026: {
        title: 'Vectors of different length',
        why: 'The similarity of two vectors compares them number by number, so both need the same length.',
        sample: ['similarity:cosine_sim', 2, 3],
        match: ['v([1.0,2.0],[1.0,2.0,3.0])'],
        example: 'v([1.0, 2.0], [1.0, 2.0, 3.0]). @output("h"). h(S) <- v(A, B), S = similarity:cosine_sim(A, B).',
    },
    RT027: {
        title: 'Edges with unknown ends',
        why: 'An edge between unknown nodes connects nothing that could be named, so the graph function leaves it out.',
        sample: ['#TC', 1, 'edge'],
        example: 'p(1). @output("t"). edge(X, Y) <- p(X). edge(X, 2) <- p(X). t(X, Y) <- #TC(edge).',
    },
    RT028: {
        title: 'Negative weight',
        why: 'The cheapest path may not exist when an edge makes paths cheaper, because a path could run through it again and again.',
        sample: ['#ASP', '-1'],
        example: 'edge("a", "b", -1). @output("t"). t(X, Y, C) <- #ASP(edge).',
    },
    RT029: {
        title: 'Mixed nodes',
        why: 'The first field of a struct identifies a node. Structs and simple values in one graph could not be compared.',
        sample: ['#TC', 'edge'],
        example: 'edge(struct("id", 1), struct("id", 2)). edge(3, 4). @output("t"). t(X, Y) <- #TC(edge).',
    },
    RT030: {
        title: 'Joins left out',
        why: 'Unknown values that a recursion invents are joined with each other. Facts that differ in them alone are kept up to a certain number only, so that the run ends. Rows without unknown values may be missing that would need more.',
        sample: [3],
    },
    RT031: {
        title: 'Limit reached',
        why: 'The run needed more facts, rounds, memory or time than it may have, or made a text that is too long. Often a join condition is missing, or a recursion makes ever new values. Rounds are counted only where a recursion makes new values without a bound: it may take 10,000, and one more for each fact that it reads, so that a long chain of facts ends and what goes around in a cycle does not go on for ever.',
        sample: ['rounds', '10,000', 'n'],
        example: 'n(1). @output("n"). n(Y) <- n(X), Y = X + 1.',
    },
    RT032: {
        title: 'Stopped',
        why: 'Someone stopped the run.',
        sample: ['Ctrl-C'],
    },
    RT040: {
        title: 'Equality of different values',
        why: 'An equality head makes two values equal. An unknown value is replaced by the other one, but two different known values cannot be made equal.',
        sample: ['M1=M2 <- boss(D,M1), known(D,M2)', '"Eve"', '"Ida"'],
        example:
            'dept("d1"). known("d1", "Ida"). known("d1", "Eve"). @output("boss"). boss(D, M) <- dept(D). M1 = M2 <- boss(D, M1), known(D, M2).',
    },
    RT041: {
        title: 'Constraint violated',
        why: "A rule with the head '#F' says what must not be. The facts listed match it.",
        sample: ['#F <- works(X,D), not dept(D)', 1, false],
        example: 'dept("d1"). works("Ida", "d2"). @output("h"). h(X) <- works(X, _). #F <- works(X, D), not dept(D).',
    },
    RT050: {
        title: 'Recursive aggregation not monotone',
        why: 'Values of a recursive aggregate should only improve. Here a value got worse after others had been derived from it, so the result may not be what the rules say.',
        sample: ['total', '("a")'],
    },
    RT051: {
        title: 'Contribution outside the monotone range',
        why: 'In a recursion a sum should only grow and a product should only shrink. A negative summand or a factor outside 0 to 1 works against that, and the order of rows may show in the result.',
        sample: ['msum', '-3'],
    },
    RT052: {
        title: 'Group without a value',
        why: 'Aggregates skip unknown values. Where all values of a group are unknown, there is nothing to sum or to compare, and a row with an invented value would be wrong: the group has no row, also beside a count() that has a value.',
        sample: ['sum(P)', 'cost', 2, '("G")'],
        example: 'pay("G", null). pay("H", 3). pay("I", null). @output("cost"). cost(D, S) <- pay(D, P), S = sum(P).',
    },
    RT060: {
        title: 'Provider missing',
        why: 'The value comes from outside, such as a language model, and nothing here provides it. A run asks a language model where it is allowed to: by --allow-model on the command line and for the services, by the answer to a question in the editor.',
        sample: ['llm:generate'],
        example: `s("Riga"). @output("h"). h(T) <- s(S), T = llm:generate("Describe \${S}").`,
    },
    RT061: {
        title: 'Connector missing',
        why: 'Files in CSV, JSON, Parquet and SQLite can be read and written. Other databases and services need a connector, which is not part of this version.',
        sample: ['oracle', 'bind'],
        example: '@bind("p", "oracle", "shop", "customers"). @output("h"). h(X) <- p(X).',
    },
    RT062: {
        title: 'Query not supported',
        why: 'The program was read and understood, but this part of it cannot be computed here.',
        sample: ['A Cypher body'],
        example: 'p(1). @output("h"). h(X) <- MATCH (a:p) RETURN a.p_0.',
    },
    RT063: {
        title: 'Access not granted',
        why: "A run reads and writes only below the folder of its program and the current folder, so that a program from elsewhere does no harm. Output files must have the extension of a data file, so that no other program runs them. Use '--allow-read' and '--allow-write' to allow more. '--allow-write FILE' allows a file with any other extension, except a program, a script, a settings file, a build file or a key. An editor asks.",
        sample: ['/srv/p.csv', 'it lies outside the folders of this run; add --allow-read /srv'],
    },
    RT064: {
        title: 'File cannot be read or written',
        why: 'The file is missing, cannot be opened, or is not what its bind says.',
        sample: ['data/p.csv', 'does not exist'],
        example: '@bind("p", "csv", "data", "p.csv"). @output("h"). h(X) <- p(X).',
    },
    RT065: {
        title: 'Not evaluated',
        why: 'The checker understands this part of the language, but there is nothing yet that computes it. Leaving it out would give a wrong answer, so the run ends.',
        sample: ["Option 'documentType' of a text bind"],
        example: `@bind("p", "text documentType='sections'", "data", "p.txt"). @output("h"). h(X) <- p(X).`,
    },
    RT066: {
        title: 'Output that nothing can fill',
        why: 'An output without any rows replaces what its bind names by nothing. Where no fact, no source and no rule can ever give it a row, that is a mistake, so the run ends before it opens anything to write.',
        sample: ['order', 'orders.csv'],
    },
    RT067: {
        title: 'Target that is kept',
        why: 'A run replaces a file whose columns are those of the output, since a run has probably written it. It keeps a table of a database that has rows, a file with other columns, and what the run itself reads, unless the bind says what becomes of them.',
        sample: ['shop.db: order', 'it has 200 rows'],
    },
    RT070: {
        title: 'Input without rows',
        why: '@input says that whoever runs the program supplies the rows. On the command line rows come from facts and binds.',
        sample: ['order'],
        example: '@input("order"). @output("h"). h(X) <- order(X, _).',
    },
    RT071: {
        title: 'Rows of other lengths',
        why: "Some rows of a file have more or fewer cells than the others. '--strict' makes it an error.",
        sample: [2, 'few', 3],
    },
    RT072: {
        title: 'Duplicate rows',
        why: 'Relations are sets, so equal rows count once. A cell that is read as unknown equals no other, so each row with one counts. Where each row of a file counts, such as two payments of the same amount, it needs a column that tells them apart.',
        sample: [3],
    },
    RT073: {
        title: 'Text behind a closing quote',
        why: 'A cell that begins with a double quote ends at the next one. Where more text follows before the delimiter, as in \'"a"/"b"\', the whole is read as \'a/"b"\'. \'--strict\' makes it an error.',
        sample: [2],
    },
    RT080: {
        title: 'Value of another type',
        why: 'A parameter has the type of its default in @param, and the value that was given cannot be read as that.',
        sample: ['floor', 'high', 'int'],
    },
    RT090: {
        title: 'Script failed',
        why: 'A script of Python has not returned the rows that the head of its rule describes, or it was not run at all. The message says why; the line of the script, its traceback and what it printed last stand below it.',
        sample: ['fetch', 'failed: ValueError: no such city'],
    },
    RT091: {
        title: 'Query failed',
        why: 'The SQL query of a rule is computed by a database of its own, which has nothing but the tables that the query names. What it says went wrong there, such as a text that is no number, stands in the message.',
        sample: ["Could not convert string 'x' to INT64"],
    },
    RT092: {
        title: 'Call not answered',
        why: 'A language model, or another function from outside, was asked and gave no answer, or may not be asked so often. Answers that came before are kept, so that another run asks only for the others.',
        sample: ['llm:generate', 'the provider answered with 401: the key is not valid'],
    },
    RT100: {
        title: 'Join that multiplies',
        why: "Each match of the atoms before an atom went on with a thousand of its rows or more. Mostly a variable in common or a condition is missing, so that rows meet which have nothing to do with each other. It is found by '--profile', and by a profiled run in an editor.",
        sample: ['order(O, P)', 2000, 4_000_000],
    },
    RT101: {
        title: 'Atom that nothing meets',
        why: "No row met an atom together with the atoms before it, so that its rule gave nothing. Mostly the two sides write the same thing in different ways, such as a number and a text. It is found by '--profile', and by a profiled run in an editor.",
        sample: ['price(P, X)', 500, 120],
    },
    RT102: {
        title: 'Rule that never fired',
        why: "In this run no match of the body of a rule came as far as its head. The message names what stopped the matches that came furthest, in the order in which the run took the body. It is found by '--profile', and by a profiled run in an editor.",
        sample: ['price(P, X) has no rows'],
    },
};

/** A report as an example of its code. */
export function sampleReport(code: ReportCode): Report {
    const { sample, match }: ReportHelp<ReportCode> = REPORT_HELP[code];
    // The sample of a code fits its message; the union of all codes does not show it.
    const told = (report as (code: ReportCode, context: object, ...sample: readonly unknown[]) => Report)(code, {}, ...sample);
    if (match === undefined) return told;
    return withMatch(told, { facts: match.map(fact => ({ fact })), values: [], count: 1, isMore: false });
}
