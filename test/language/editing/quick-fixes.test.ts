import { describe, expect, test } from 'vitest';
import type { OpenDocument } from '#language/document/open-document.ts';
import { exampleDocument } from '#language/editing/example-document.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { EVERY_SEVERITY } from '../../support/every-severity.ts';
import { applied } from './editing-markers.ts';

/** Codes whose example has no mechanical repair, although others of the code may have one. */
const WITHOUT = new Set([
    'RL0007',
    'RL0013',
    'RL0017',
    'RL0047',
    'RL1112',
    'RL2205',
    'RL3013',
    'RL4025',
    'RL4027',
    'RL5005',
    'RL6081',
    'RL6084',
    'RL6085',
    'RL6086',
    'RL6087',
    'RL6088',
    'RL6121',
    'RL7001',
    'RL7004',
    'RL7010',
    'RL7012',
    'RL7013',
    'RL7112',
    'RL9028',
    'RL9033',
    'RL2007',
    'RL2011',
    'RL2101',
    'RL2202',
    'RL2303',
    'RL2401',
    'RL3003',
    'RL3004',
    'RL3005',
    'RL3010',
    'RL3012',
    'RL3021',
    'RL4004',
    'RL4010',
    'RL4013',
    'RL5003',
    'RL5004',
    'RL5006',
    'RL5010',
    'RL5014',
    'RL3015',
    'RL3034',
    'RL5015',
    'RL5020',
    'RL5021',
    'RL6002',
    'RL6010',
    'RL6021',
    'RL6033',
    'RL6034',
    'RL6035',
    'RL6051',
    'RL6053',
    'RL6062',
    'RL6063',
    'RL6064',
    'RL6065',
    'RL6071',
    'RL6072',
    'RL6090',
    'RL6091',
    'RL6092',
    'RL6093',
    'RL6104',
    'RL6109',
    'RL6112',
    'RL7105',
    'RL7108',
    'RL7110',
    'RL7122',
    'RL7123',
    'RL8005',
    'RL8011',
    'RL8012',
    'RL8013',
    'RL8016',
    'RL8101',
    'RL8102',
    'RL8103',
    'RL8104',
    'RL8105',
    'RL8106',
    'RL8107',
    'RL8108',
    'RL8109',
    'RL8110',
    'RL9002',
    'RL9023',
    'RL6115',
    'RL6023',
    'RL6068',
    'RL6069',
    'RL6117',
    'RL7016',
    'RL7017',
]);

function errorsOf({ problems }: OpenDocument): string[] {
    return problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

/** With what is wrong with the comments that ignore problems. */
function reportedDocument(text: string, entry: ProblemEntry): OpenDocument {
    const document = exampleDocument(text, entry);
    return { ...document, problems: reportedProblems({ ...document, clauses: document.analysed.program.clauses }, EVERY_SEVERITY) };
}

/** A clause that could not be read hides what else is wrong with it; only errors of syntax are new then. */
describe('every fix of an example removes its problem and makes no new error', () => {
    for (const [code, entry] of Object.entries<ProblemEntry>(PROBLEMS)) {
        test(`${code} ${entry.name}`, () => {
            const before = reportedDocument(entry.example, entry);
            const problem = before.problems.find(found => found.code === code);
            const fixes = problem === undefined ? [] : quickFixes(before, problem);
            expect(fixes.length > 0).toBe(!WITHOUT.has(code));
            expect(fixes.filter(({ preferred }) => preferred).length).toBeLessThanOrEqual(1);
            for (const fix of fixes) {
                expect(fix.edits.length).toBeGreaterThan(0);
                const text = applied(entry.example, fix.edits);
                const after = reportedDocument(text, entry);
                const alike = ({ problems }: OpenDocument): number =>
                    problems.filter(found => found.code === code && found.severity === problem?.severity).length;
                const left = alike(after) < alike(before);
                expect({ text, title: fix.title, left }).toEqual({ text, title: fix.title, left: true });
                const known = errorsOf(before);
                const unread = before.analysed.program.clauses.some(clause => clause.kind === 'broken');
                const fresh = errorsOf(after).filter(error => !known.includes(error) && !(unread && !/^RL00|^RL7002/.test(error)));
                expect({ text, title: fix.title, fresh }).toEqual({ text, title: fix.title, fresh: [] });
            }
        });
    }
});

test('a code in the list of those without fixes is a problem', () => {
    expect([...WITHOUT].filter(code => !(code in PROBLEMS))).toEqual([]);
});

/** The codes for which section 13 of the language reference names a fix, but for those of queries and of concepts. */
const WITH_FIX = `
    RL0001 RL0002 RL0003 RL0004 RL0005 RL0006 RL0008 RL0010 RL0011 RL0012 RL0014 RL0015 RL0016 RL0020 RL0021 RL0022 RL0030
    RL0031 RL0032 RL0040 RL0041 RL0042 RL0043 RL0044 RL0045 RL0046 RL0048 RL0049 RL1101 RL1102 RL1103 RL1104 RL1105 RL1106
    RL1107 RL1110 RL1111 RL1113 RL1114 RL1115 RL1116 RL1117 RL1210 RL2001 RL2002 RL2003 RL2004 RL2005 RL2006 RL2010 RL2012
    RL2102 RL2201 RL2203 RL2204 RL2301 RL2302 RL2402 RL2403 RL3001 RL3002 RL3004 RL3005 RL3006 RL3007 RL3008 RL3009 RL3010
    RL3011 RL3014 RL3020 RL3030 RL3031 RL3032 RL4001 RL4002 RL4003 RL4005 RL4011 RL4012 RL4014 RL4015 RL4020 RL4021 RL4022
    RL4030 RL5001 RL5003 RL5004 RL5009 RL5011 RL5012 RL5013 RL5014 RL5016 RL6001 RL6003 RL6004 RL6005 RL6006 RL6010 RL6011
    RL6012 RL6013 RL6014 RL6020 RL6022 RL6030 RL6031 RL6032 RL6034 RL6036 RL6037 RL6038 RL6039 RL6040 RL6050 RL6052 RL6060
    RL6061 RL6066 RL6067 RL6070 RL6071 RL6073 RL6074 RL6080 RL6100 RL6101 RL6102 RL6103 RL6105 RL6106 RL6107 RL6110 RL6111
    RL6120 RL7002 RL7101 RL7102 RL7103 RL7104 RL7106 RL7107 RL7109 RL7111 RL7113 RL7120 RL7121 RL7124 RL8001 RL8002 RL8003
    RL8004 RL8010 RL8014 RL8015 RL9001 RL9003 RL9004 RL9012 RL9020 RL9021 RL9022 RL9024 RL9025 RL9026 RL9027 RL9029 RL9030
    RL9031 RL9032 RL9034
`
    .trim()
    .split(/\s+/u);

/** Programs that show the fix of a code whose example has none. */
const SHOWN: Readonly<Record<string, string>> = {
    RL3004: 'p("a", 1, 2). @output("h"). h(K, S) <- p(K, Other, X), S = msum(X, <Othr>), Other > 1.',
    RL3005: 'p("a", "b", 2). @output("h"). h(K, S) <- p(K, C, X), S = msum(X, <K, C>).',
    RL3010: 'e("a", "b"). @output("d"). d(X, Y, D) <- e(X, Y), D = min(1). d(X, Z, D) <- d(X, Y, N), e(Y, Z), D = min(N + 1).',
    RL5003: 'p("4"). @output("h"). h(Y) <- p(X), Y = math:sqrt(X).',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: prompts are written so.
    RL5004: 's("a"). @output("h"). h(X, Y) <- s(X), Y = llm:generate("Is it ${arg_1}?", "output_type=bolean", X).',
    RL5014: 's(["A"]). @output("h"). h(Y) <- s(X), Y = collections:transform(X, "item -> lowr(item)").',
    RL6010: 'p(1). @output("hh"). h(X) <- p(X).',
    RL6034: `@model("lorry", "['plate:string']"). @model("bus(lory)", "['plate:string']"). lorry("b"). bus("c"). @output("h"). h(X) <- bus(X), lorry(X).`,
    RL6071: 'p(1). @output("h"). @post("h", "sortby(1)"). @post("h", "limt(1)"). h(X) <- p(X).',
};

describe('every fix that the reference names exists', () => {
    test.each(WITH_FIX)('%s', code => {
        const entry: ProblemEntry | undefined = PROBLEMS[code as keyof typeof PROBLEMS];
        expect(entry).toBeDefined();
        if (entry === undefined) return;
        const document = reportedDocument(SHOWN[code] ?? entry.example, entry);
        const problems = document.problems.filter(found => found.code === code);
        expect(problems.length).toBeGreaterThan(0);
        expect(problems.some(found => quickFixes(document, found).length > 0)).toBe(true);
    });
});
