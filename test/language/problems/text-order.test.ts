import { describe, expect, test } from 'vitest';
import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { DEFAULT_JSON_OPTIONS } from '#engine/sources/json-options.ts';
import { peekJson } from '#engine/sources/json-reader.ts';
import type { ByteReader } from '#engine/sources/source.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { fixAll, withEdits } from '#language/editing/fix-all.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { bytesOf } from '../../engine/csv/collecting-target.ts';

const BIND = '@bind("emp", "csv useHeaders=true", "data", "emp.csv").\n';
const EMP = 'name,salary,dept\nann,9,1\nbob,100,2\ncyd,50,1\n';
const MODEL = `@model("emp", "['name:string', 'salary:int', 'dept:int']")`;

/** What the front of a CSV text shows. */
function shown(csv: string, useHeaders = true, delimiter = ','): SourceSchema {
    const found = peekCsv({ bytes: bytesOf(csv), file: 'emp.csv', options: { ...DEFAULT_CSV_OPTIONS, useHeaders, delimiter } }, 100);
    if (found === undefined) throw new Error('No records');
    return found;
}

function open(text: string, csv = EMP, others: readonly (readonly [string, string])[] = [], useHeaders = true): OpenDocument {
    const schemas = new Map([['emp', csv] as const, ...others].map(([name, one]) => [name, shown(one, useHeaders)] as const));
    return openDocument(text, 'p.rulelang', { schemas, sql: readQuery });
}

/** The problems about texts, with what they mark. */
function told(document: OpenDocument): string[] {
    return document.problems.flatMap(({ code, place, span, message }) =>
        ['RL4023', 'RL4024', 'RL4025', 'RL4026', 'RL4027', 'RL4028', 'RL6123'].includes(code)
            ? [`${code} ${document.text.slice(place.offset + span.start, place.offset + span.end)}: ${message}`]
            : [],
    );
}

const SALARY = "Column 'salary' of 'emp' is text, in whose order '9' comes behind '50'";

describe('the order of texts that are numbers', () => {
    test.each([
        ['the greatest', 'o(M) <- emp(_, S, _), M = max(S).', 'S'],
        ['the least of groups', 'o(D, M) <- emp(_, S, D), M = min(S).', 'S'],
        ['a running maximum', 'o(M) <- emp(_, S, _), M = mmax(S).', 'S'],
        ['a comparison', 'o(N, M) <- emp(N, S, _), emp(M, T, _), S < T.', 'S'],
        ['a comparison with a number in quotes', 'o(N) <- emp(N, S, _), S >= "10".', 'S'],
        ['a value that is assigned', 'o(M) <- emp(_, S, _), T = S, M = max(T).', 'T'],
        ['rules between', 'a(S) <- emp(_, S, _).\nb(S) <- a(S), not emp(S, _, _).\no(M) <- b(S), M = max(S).', 'S'],
        ['a recursion', 'a(S, S) <- emp(_, S, _).\na(S, T) <- a(S, R), a(R, T).\no(M) <- a(S, _), M = max(S).', 'S'],
        ['a join with other numbers', 'o(M) <- emp(_, S, _), other(S), M = max(S).', 'S'],
        ['the order of an output', 'o(N, S) <- emp(N, S, _).\n@post("o", "orderby(-2)").', '"orderby(-2)"'],
        ['the greatest rows of an output', 'o(N, S) <- emp(N, S, _).\n@post("o", "max(2)").', '"max(2)"'],
        ['the rows with the greatest', 'o(N, S) <- emp(N, S, _).\n@post("o", "argmax(2, <>)").', '"argmax(2, <>)"'],
        ['ORDER BY', 'o(N) <- SELECT name FROM emp ORDER BY salary DESC LIMIT 1.', 'salary'],
        ['ORDER BY a number', 'o(N, S) <- SELECT name, salary FROM emp ORDER BY 2 LIMIT 1.', 'salary'],
        ['ORDER BY an alias', 'o(N, S) <- SELECT name, e.salary AS s FROM emp e ORDER BY s LIMIT 1.', 'e.salary'],
        ['MAX', 'o(S) <- SELECT MAX(salary) FROM emp.', 'salary'],
        ['a comparison in SQL', 'o(N) <- SELECT a.name FROM emp a JOIN emp b ON a.salary < b.salary.', 'a.salary'],
        ['BETWEEN', "o(N) <- SELECT name FROM emp WHERE salary BETWEEN '3' AND '20'.", 'salary'],
        ['a window', 'o(N, R) <- SELECT name, rank() OVER (ORDER BY salary) FROM emp.', 'salary'],
        ['a query within a query', 'o(N) <- SELECT name FROM emp WHERE salary = (SELECT MIN(salary) FROM emp).', 'salary'],
        ['the columns of a query', 'a(S) <- SELECT salary FROM emp.\no(M) <- a(S), M = max(S).', 'S'],
    ])('%s', (_kind, rules, marked) => {
        const other = '@bind("other", "csv useHeaders=true", "data", "other.csv").\n';
        const document = open(`${BIND}${rules.includes('other(') ? other : ''}${rules}\n@output("o").\n`, EMP, [['other', 'v\n7\n8\n']]);
        expect(told(document)).toEqual([`RL4023 ${marked}: ${SALARY}`]);
    });

    test.each([
        ['the column is asked for nothing but its values', 'o(N) <- emp(N, S, _), emp(M, S, _), N != M.', EMP],
        ['texts have the order of their numbers', 'o(M) <- emp(_, S, _), M = max(S).', 'a,b,c\nx,1999,1\ny,2024,1\n'],
        ['one cell is no number', 'o(M) <- emp(_, S, _), M = max(S).', 'a,b,c\nx,9,1\ny,100,1\nz,9a,1\n'],
        ['they are codes', 'o(M) <- emp(_, S, _), M = max(S).', 'a,b,c\nx,9,1\ny,100,1\nz,007,1\n'],
        ['they are converted', 'o(M) <- emp(_, S, _), T = as_int(S), M = max(T).', EMP],
        ['a model says what they are', `${MODEL}.\no(M) <- emp(_, S, _), M = max(S).`, EMP],
        ['a fact gives another text', 'a(S) <- emp(_, S, _).\na("none").\no(M) <- a(S), M = max(S).', EMP],
        ['a text that is no number is compared', 'o(N) <- emp(N, S, _), S < "m".', EMP],
        ['they are counted', 'o(M) <- emp(_, S, _), M = count(S).', EMP],
    ])('nothing is said where %s', (_kind, rules, csv) => {
        expect(told(open(`${BIND}${rules}\n@output("o").\n`, csv))).toEqual([]);
    });

    test.each(['n/a', 'NA', '-', '#N/A', '\\N'])('%s stands for no number', marker => {
        const csv = EMP.replace('ann,9,1', `ann,9,1\ndan,${marker},2`);
        expect(told(open(`${BIND}o(M) <- emp(_, S, _), M = min(S).\n@output("o").\n`, csv))).toEqual([`RL4023 S: ${SALARY}`]);
    });

    test.each([
        ['9,5\n100,25', "write decimal=',' in the bind, and '@model(\"emp\", \"['v:double']\").'"],
        ['9,500\n12,000', "write thousands=',' or decimal=',' in the bind, and '@model(\"emp\", \"['v:double']\").'"],
        ['1.234,5\n200,5', "write decimal=',', thousands='.' in the bind, and '@model(\"emp\", \"['v:double']\").'"],
    ])('they are written as %s', (texts, remedy) => {
        const csv = `v\n${texts.replaceAll(/^|$/gmu, '"')}\n`;
        const found = open(`${BIND}o(M) <- emp(V), M = max(V).\n@output("o").\n`, csv).problems.find(({ code }) => code === 'RL4023');
        expect(found?.remedy).toBe(remedy);
    });

    test.each([
        ['$9\n$100\n$50', 'compare as_double(replace(…, "$", ""))'],
        ['9.5 %\n100 %', 'compare as_double(replace(…, "%", ""))'],
        ['$9\n€100', undefined],
        ['$9\n100', undefined],
    ])('they have a sign: %j', (texts, remedy) => {
        const problems = open(`${BIND}o(M) <- emp(V), M = max(V).\n@output("o").\n`, `v\n${texts}\n`).problems;
        const remedies = problems.flatMap(one => (one.code === 'RL4023' ? [one.remedy] : []));
        expect(remedies).toEqual(remedy === undefined ? [] : [remedy]);
    });

    test.each([
        ['a number', 'o(T) <- emp(_, S, _), T = S + 1.', 'S + 1', 'salary', '9'],
        ['each other', 'o(T) <- emp(_, S, D), T = D + S.', 'D + S', 'dept', '1'],
    ])('they are added to %s', (_kind, rules, marked, column, text) => {
        expect(told(open(`${BIND}${rules}\n@output("o").\n`))).toEqual([
            `RL4028 ${marked}: '+' joins texts here: column '${column}' of 'emp' is text, though its texts read as numbers, such as "${text}"`,
        ]);
    });

    test('they are joined with other texts', () => {
        expect(told(open(`${BIND}o(T) <- emp(N, S, D), T = S + " " + D + N.\n@output("o").\n`))).toEqual([]);
    });

    test('rules bring them together with numbers', () => {
        const rules = 'a(S) <- emp(_, S, _).\na(7).\no(S, N) <- a(S), N = count().\n@output("o").\n';
        expect(told(open(BIND + rules))).toEqual([
            `RL4026 S: Column 'salary' of 'emp' has texts that read as numbers, such as "9", beside numbers such as 9, and these are never equal or in order`,
        ]);
    });

    test('each column is told once, where its order matters first', () => {
        const rules =
            'a(M) <- emp(_, S, _), M = max(S).\nb(M) <- emp(_, S, _), M = min(S).\nc(D) <- emp(_, _, D), emp(_, _, E), D < E.\n@output("a"). @output("b"). @output("c").\n';
        expect(told(open(BIND + rules, EMP.replace('cyd,50,1', 'cyd,50,10')))).toEqual([
            `RL4023 S: ${SALARY}`,
            "RL4023 D: Column 'dept' of 'emp' is text, in whose order '2' comes behind '10'",
        ]);
    });

    test('the fix writes the types of all columns, and makes empty cells unknown where they have to be', () => {
        const text = `${BIND}o(M) <- emp(_, S, _), M = max(S).\n@output("o").\n`;
        const fix = (csv: string): string => fixAll(open(text, csv), new Map(), changed => open(changed, csv)).text;
        expect(fix(EMP)).toContain(`${MODEL}.`);
        expect(fix(EMP)).toContain('useHeaders=true"');
        const gaps = 'name,pay (EUR),on,big,n:m\nann,9,2024-01-31,5,x\n,100.5,,9000000000,\n';
        expect(fix(gaps)).toContain(`"csv useHeaders=true, nullString=''"`);
        expect(fix(gaps)).toContain(`"['name:string', 'pay _EUR):double', 'on:date', 'big:long', 'n_m:string']"`);
        expect(told(open(fix(gaps), gaps))).toEqual([]);
    });

    test('an edit brings the problem, and another takes it away', () => {
        const document = open(`${BIND}a(S) <- emp(_, S, _).\no(M) <- a(S), M = max(S).\n@output("o").\n`);
        expect(told(document)).toHaveLength(1);
        const later = document.text.replace('a(S) <- emp(_, S, _)', 'a(S) <- emp(S, _, _)');
        expect(told(open(later))).toEqual([]);
    });
});

describe('empty cells', () => {
    const csv = 'name,end\nann,2031-01-05\nbob,\n';

    test.each([
        ['of a file', ''],
        ['under a model that says text', `@model("emp", "['name:string', 'end:string']").\n`],
    ])('that are asked whether they are unknown, %s', (_kind, model) => {
        const text = `${BIND}${model}o(N) <- emp(N, E), is_null(E).\n@output("o").\n`;
        const document = open(text, csv);
        expect(told(document)).toEqual([
            "RL4024 E: Column 'end' of 'emp' has empty texts where its file has nothing (1 of 2 records), and those are not unknown",
        ]);
        const problem = document.problems.find(({ code }) => code === 'RL4024');
        const [fix] = problem === undefined ? [] : quickFixes(document, problem);
        const mended = withEdits(text, fix?.edits ?? []);
        expect(mended).toContain(`"csv useHeaders=true, nullString=''"`);
        expect(told(open(mended, csv))).toEqual([]);
    });

    test('nobody asks about, or that are not there', () => {
        expect(told(open(`${BIND}o(N) <- emp(N, E), E != "x".\n@output("o").\n`, csv))).toEqual([]);
        expect(told(open(`${BIND}o(E) <- emp(N, E), is_null(N).\n@output("o").\n`, csv))).toEqual([]);
    });
});

describe('a header that is read as a row', () => {
    const bind = '@bind("emp", "csv", "data", "emp.csv").\n@output("o").\no(N) <- emp(N, _, _).\n';

    test('is told, and mended by the option', () => {
        const document = open(bind, EMP, [], false);
        expect(told(document)).toEqual([
            `RL6123 "emp.csv": The first line of 'emp.csv' looks like names of columns ('name', 'salary', 'dept') and is read as a row`,
        ]);
        const problem = document.problems.find(({ code }) => code === 'RL6123');
        const [fix] = problem === undefined ? [] : quickFixes(document, problem);
        expect(withEdits(bind, fix?.edits ?? [])).toContain('"csv useHeaders=true"');
    });

    test.each([
        ['all columns are texts', 'name,town,land\nann,Rome,Italy\n'],
        ['it has a number', 'ann,9,1\nbob,100,2\n'],
        ['two of its texts are the same', 'a,a,b\nx,1,2\n'],
        ['it is the only line', 'name,salary,dept\n'],
        ['it has an empty text', 'name,,dept\nann,9,1\n'],
    ])('is none where %s', (_kind, csv) => {
        expect(told(open(bind, csv, [], false))).toEqual([]);
    });

    test('is a row where the bind says so', () => {
        expect(told(open(bind.replace('"csv"', '"csv useHeaders=false"'), EMP, [], false))).toEqual([]);
    });
});

describe('a model of numbers that are too narrow', () => {
    const bind = `${BIND}@model("emp", "['name:string', 'salary:int', 'dept:int']").\no(N) <- emp(N, _, _).\n@output("o").\n`;
    const types = (csv: string): string[] => open(bind, csv).problems.flatMap(({ code, message }) => (code === 'RL6118' ? [message] : []));

    test.each([
        ['integers beyond 32 bits', '3000000000', 'long'],
        ['fractions', '2.5', 'double'],
    ])('%s', (_kind, cell, type) => {
        const csv = EMP.replace('100', cell);
        expect(types(csv)).toEqual([`Column 'salary' of 'emp.csv' holds ${type}, but the program says int`]);
        const document = open(bind, csv);
        const problem = document.problems.find(({ code }) => code === 'RL6118');
        const [fix] = problem === undefined ? [] : quickFixes(document, problem);
        const mended = withEdits(bind, fix?.edits ?? []);
        expect(mended).toContain(`'salary:${type}'`);
        expect(told(open(mended, csv))).toEqual([]);
    });

    test('that hold all of them', () => {
        expect(types(EMP)).toEqual([]);
    });
});

describe('the order of texts that are days', () => {
    const GERMAN = 'name,day\nann,31.12.2030\nbob,1.2.2031\ncyd,15.01.2031\n';
    const early = "Column 'day' of 'emp' is text, in whose order the day '31.12.2030' comes behind '15.01.2031'";
    const remedies = (document: OpenDocument): (string | undefined)[] =>
        document.problems.flatMap(({ code, remedy }) => (code === 'RL4025' ? [remedy] : []));

    test.each([
        ['the last', 'o(M) <- emp(_, D), M = max(D).', 'D'],
        ['a comparison', 'o(N, M) <- emp(N, D), emp(M, E), D < E.', 'D'],
        ['a comparison with a day in quotes', 'o(N) <- emp(N, D), D >= "01.01.2031".', 'D'],
        ['the order of an output', 'o(N, D) <- emp(N, D).\n@post("o", "orderby(2)").', '"orderby(2)"'],
        ['ORDER BY', 'o(N) <- SELECT name FROM emp ORDER BY day LIMIT 1.', 'day'],
        ['a comparison in SQL', "o(N) <- SELECT name FROM emp WHERE day > '01.01.2031'.", 'day'],
    ])('%s', (_kind, rules, marked) => {
        const document = open(`${BIND}${rules}\n@output("o").\n`, GERMAN);
        expect(told(document)).toEqual([`RL4025 ${marked}: ${early}`]);
        expect(remedies(document)).toEqual(['compare as_date(date:to_timestamp(…, "d.M.yyyy"))']);
    });

    test.each([
        ['12/31/2030', '02/01/2031', 'compare as_date(date:to_timestamp(…, "M/d/yyyy"))'],
        ['10/11/2030', '02/01/2031', 'compare as_date(date:to_timestamp(…, "d/M/yyyy")), or with "M/d/yyyy"'],
        ['2031-9-1', '2031-10-1', 'compare as_date(date:to_timestamp(…, "yyyy-M-d"))'],
        ['31.12.30', '1.2.31', 'compare as_date(date:to_timestamp(…, "d.M.yy"))'],
        ['1.2.2031 9:30', '1.2.2031 10:00', 'compare date:to_timestamp(…, "d.M.yyyy H:mm")'],
        ['2 Feb 2031', '10 March 2031', 'compare as_date(date:to_timestamp(…, "d MMM yyyy"))'],
        ['"Feb 2, 2031"', '"Jan 10, 2032"', undefined],
        ['"Mar 2, 2031"', '"Jan 10, 2032"', 'compare as_date(date:to_timestamp(…, "MMM d, yyyy"))'],
        ['Sep-2031', 'Dec-2031', 'compare as_date(date:to_timestamp(…, "MMM-yyyy"))'],
        ['9:30 AM', '10:15 pm', 'compare date:to_timestamp(…, "h:mm a")'],
        ['1/9/2031 2:00 PM', '1/10/2031 9:00 AM', 'compare date:to_timestamp(…, "d/M/yyyy h:mm a"), or with "M/d/yyyy h:mm a"'],
        ['2031-01-02T10:30:00+05:00', '2031-01-02T10:00:00Z', `compare date:to_timestamp(…, "yyyy-M-d'T'H:mm:ssXXX")`],
        ['9:30', '10:15', 'compare date:to_timestamp(…, "H:mm")'],
        ['2031-01-05T10:00:00', '2031-01-05 11:00:00', `compare date:to_timestamp(…, "yyyy-M-d'T'H:mm:ss")`],
    ])('%s before %s', (one, other, remedy) => {
        const document = open(`${BIND}o(M) <- emp(D), M = max(D).\n@output("o").\n`, `day\n${one}\n${other}\n`);
        expect(remedies(document)).toEqual(remedy === undefined ? [] : [remedy]);
    });

    test('times of a day are called times', () => {
        expect(told(open(`${BIND}o(M) <- emp(D), M = max(D).\n@output("o").\n`, 'at\n9:30\n10:15\n'))).toEqual([
            "RL4025 D: Column 'at' of 'emp' is text, in whose order the time '9:30' comes behind '10:15'",
        ]);
    });

    test.each([
        ['they have the order of their days', 'day\n2031-01-05\n2031-02-01\n'],
        ['they have it in one of two patterns', 'day\n01/02/2031\n02/01/2031\n'],
        ['one is no day', 'day\n31.12.2030\n1.2.2031\nspring\n'],
        ['they are versions', 'day\n31.13.2030\n1.2.2031\n'],
        ['they are no times', 'day\n9:75\n10:15\n'],
        ['words are no months', 'day\n2 Foo 2031\n10 Jan 2031\n'],
    ])('nothing is said where %s', (_kind, csv) => {
        expect(told(open(`${BIND}o(M) <- emp(D), M = max(D).\n@output("o").\n`, csv))).toEqual([]);
    });
});

describe('days in several forms', () => {
    test.each([
        ['2031-01-05\n05/01/2031\n5.1.2031', '2031-01-05', '05/01/2031'],
        ['31/12/2030\n12/31/2030\nn/a', '31/12/2030', '12/31/2030'],
    ])('%s', (days, one, other) => {
        const rules = 'o(M) <- emp(D), M = max(D).\np(D) <- emp(D), D >= "2031-01-01".\n@output("o"). @output("p").\n';
        expect(told(open(`${BIND}${rules}`, `day\n${days}\n`))).toEqual([
            `RL4027 D: Column 'day' of 'emp' is text with days in several forms, such as '${one}' and '${other}', in whose order they do not follow each other`,
        ]);
    });

    test('are told where they are compared', () => {
        const document = open(`${BIND}o(D) <- emp(D), D >= "1.1.2031".\n@output("o").\n`, 'day\n2031-01-05\n5.1.2031\n');
        expect(told(document)).toEqual([expect.stringContaining('RL4027 D: ')]);
    });

    test('nobody sorts', () => {
        expect(told(open(`${BIND}o(D) <- emp(D), D != "".\n@output("o").\n`, 'day\n2031-01-05\n5.1.2031\n'))).toEqual([]);
    });
});

describe('texts of a source of types', () => {
    /** What a JSON text shows. */
    function shownJson(json: string, records = 100): SourceSchema {
        const input = {
            withBytes: <T>(use: (bytes: ByteReader) => T) => use(bytesOf(json)),
            file: 'e.json',
            options: DEFAULT_JSON_OPTIONS,
        };
        const found = peekJson(input, records);
        if (found === undefined) throw new Error('No rows');
        return found;
    }

    const JSON_BIND = '@bind("emp", "json", "data", "e.json").\n';
    const ROWS = '[{"k":"a","n":1,"t":[1]},{"k":"b","n":"1","t":[2]},{"k":"c","n":10.5,"t":[]}]';
    const openJson = (rules: string, rows = ROWS, records = 100): OpenDocument =>
        openDocument(`${JSON_BIND}${rules}\n@output("o").\n`, 'p.rulelang', {
            schemas: new Map([['emp', shownJson(rows, records)]]),
            sql: readQuery,
        });
    const MIXED = `Column 'n' of 'emp' has texts that read as numbers, such as "1", beside numbers such as 1, and these are never equal or in order`;

    test.each([
        ['a group', 'o(N, C) <- emp(_, N, _), C = count().', 'N'],
        ['a value that is assigned', 'o(M, C) <- emp(_, N, _), M = N, C = count().', 'M'],
        ['a sum', 'o(S) <- emp(_, N, _), S = sum(N).', 'N'],
        ['the values that are counted', 'o(C) <- emp(K, N, _), C = count(K, <N>).', 'N'],
        ['the greatest', 'o(M) <- emp(_, N, _), M = max(N).', 'N'],
        ['a join', 'o(K) <- emp(K, N, _), emp(L, N, _), K != L.', 'N'],
        ['an absence', 'q(1). o(K) <- emp(K, N, _), not q(N).', 'N'],
        ['a value that is looked up', 'o(K) <- emp(K, 1, _).', '1'],
        ['rules between', 'a(N) <- emp(_, N, _).\no(N, C) <- a(N), C = count().', 'N'],
        ['the order of an output', 'o(N) <- emp(_, N, _).\n@post("o", "orderby(1)").', '"orderby(1)"'],
        ['ORDER BY', 'o(K) <- SELECT k FROM emp ORDER BY n LIMIT 1.', 'n'],
        ['MAX', 'o(K) <- SELECT MAX(n) FROM emp.', 'n'],
    ])('numbers beside them in %s', (_kind, rules, marked) => {
        expect(told(openJson(rules))).toEqual([`RL4026 ${marked}: ${MIXED}`]);
    });

    test.each([
        ['nothing but the values is asked for', 'o(K, N) <- emp(K, N, _).', ROWS],
        ['no text is a number', 'o(N, C) <- emp(_, N, _), C = count().', ROWS.replace('"1"', '"one"')],
        ['they are codes', 'o(N, C) <- emp(_, N, _), C = count().', ROWS.replace('"1"', '"01"')],
        ['they are converted', 'o(M, C) <- emp(_, N, _), M = as_double(N), C = count().', ROWS],
        ['a model says what they are', `@model("emp", "['k:string', 'n:double', 't:list']").\no(N, C) <- emp(_, N, _), C = count().`, ROWS],
    ])('nothing is said where %s', (_kind, rules, rows) => {
        expect(told(openJson(rules, rows))).toEqual([]);
    });

    test('a number or a text far behind is found', () => {
        expect(told(openJson('o(N, C) <- emp(_, N, _), C = count().', ROWS, 1))).toEqual([`RL4026 N: ${MIXED}`]);
    });

    test('the fix writes one type for them, and leaves the others as they are', () => {
        const text = `${JSON_BIND}o(N, C) <- emp(_, N, _), C = count().\n@output("o").\n`;
        const reopen = (changed: string): OpenDocument =>
            openDocument(changed, 'p.rulelang', { schemas: new Map([['emp', shownJson(ROWS)]]), sql: readQuery });
        const fixed = fixAll(reopen(text), new Map(), reopen).text;
        expect(fixed).toContain(`@model("emp", "['k:string', 'n:double', 't:list<int>']").`);
        expect(told(reopen(fixed))).toEqual([]);
    });

    test('have the order of texts', () => {
        const rows = '[{"n":"9","d":"31.12.2030"},{"n":"100","d":"1.2.2031"}]';
        expect(told(openJson('o(M, N) <- emp(D, X), M = max(X), N = max(D).', rows))).toEqual([
            "RL4023 X: Column 'n' of 'emp' is text, in whose order '9' comes behind '100'",
            "RL4025 D: Column 'd' of 'emp' is text, in whose order the day '31.12.2030' comes behind '1.2.2031'",
        ]);
    });

    test('that are empty are meant', () => {
        expect(told(openJson('o(K) <- emp(K, N), is_null(N).', '[{"k":"a","n":""},{"k":"b","n":"x"}]'))).toEqual([]);
    });
});
