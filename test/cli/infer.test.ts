import { expect, test } from 'vitest';
import { readArguments } from '#server/cli/arguments.ts';
import { infer } from '#server/cli/commands/infer.ts';
import { printBind, withPlainFlags } from '#server/sources/source-bind.ts';
import { folderWith, rulelang } from './command-line.ts';

const STAFF = 'id,name,since,salary\n1,Ann,2030-01-02,9\n2,Bob,,100\n3,Cyd,2031-05-05,\n';
const ASKED = `high(N) <- staff(_, N, _, S), S > 50.
open(N) <- staff(_, N, _, S), is_null(S).
best(M) <- scores(_, M), M >= 100.
@output("high"). @output("open"). @output("best").
`;

test('files become a program whose columns have types, names and unknown values, and it runs as it stands', async () => {
    const folder = folderWith({ 'staff.csv': STAFF, 'data/scores.csv': 'ann,9\nbob,100\n' });
    const { code, stdout, stderr } = await rulelang(folder, ['infer', 'staff.csv', 'data/scores.csv']);
    expect([code, stdout]).toEqual([
        0,
        `@bind("scores_source", "csv useHeaders=false", "data", "scores.csv").
@model("scores", "['c0:string', 'c1:int']").
scores(C0, C1) <- scores_source(C0, C1).

@bind("staff_source", "csv useHeaders=true, nullString=''", ".", "staff.csv").
@model("staff", "['id:int', 'name:string', 'since:date', 'salary:int']").
staff(Id, Name, Since, Salary) <- staff_source(Id, Name, Since, Salary).

@output("scores").
@output("staff").
`,
    ]);
    expect(stderr).toBe(
        "rulelang infer: the first row of 'data/scores.csv' looks like the others, not like names of columns; if it has names, give --option useHeaders=true\n",
    );
    const whole = folderWith({ 'staff.csv': STAFF, 'data/scores.csv': 'ann,9\nbob,100\n', 'all.rulelang': stdout + ASKED });
    const outputs = ['high', 'open', 'best'].flatMap(name => ['--output', name]);
    const ran = await rulelang(whole, ['run', 'all.rulelang', '--format', 'facts', ...outputs]);
    expect(ran).toMatchObject({ code: 0, stdout: 'high("Bob").\nopen("Cyd").\nbest(100).\n', stderr: '' });
});

test('whether the first row has names is seen in the others', async () => {
    const files = {
        'years.csv': 'country,2030,2031\nAL,5,6\n',
        'flags.csv': 'id,true\n1,false\n',
        'days.csv': '2030-01-01,a\n2031-01-01,b\n',
        'texts.csv': 'a,b\nc,d\n',
    };
    const { stdout } = await rulelang(folderWith(files), ['infer', ...Object.keys(files)]);
    expect(stdout.match(/@model.*/gu)).toEqual([
        `@model("days", "['c0:date', 'c1:string']").`,
        `@model("flags", "['id:int', 'true:boolean']").`,
        `@model("texts", "['a:string', 'b:string']").`,
        `@model("years", "['country:string', '2030:int', '2031:int']").`,
    ]);
});

test('a bind names the variable with the password, and quotes no option that is true or false', () => {
    const source = "postgresql host='h', username='u'";
    const bind = { kind: 'bind', type: 'postgresql', source, outer: `a\${b`, inner: 't' } as const;
    expect(printBind('p', { ...bind, secret: 'PW' })).toBe(
        `@bind("p","postgresql host='h', username='u', password='\${PW}'","a$\${b","t").`,
    );
    expect(printBind('p', { ...bind, type: 'excel', source: 'excel', secret: 'PW' })).toContain(`"excel password='\${PW}'"`);
    const csv = { ...bind, type: 'csv', source: "csv useHeaders='true', nullString='true'" };
    expect(withPlainFlags(csv).source).toBe("csv useHeaders=true, nullString='true'");
});

test('options choose what is read, and what the user says of names counts', async () => {
    const folder = folderWith({ 'scores.csv': 'ann,9\nbob,100\n', 'staff.csv': STAFF });
    const named = await rulelang(folder, ['infer', 'scores.csv', '--option', 'useHeaders=true', '--no-model']);
    expect(named).toMatchObject({ code: 0, stderr: '' });
    expect(named.stdout).toContain('scores(Ann, C9) <- scores_source(Ann, C9).');
    expect(named.stdout).not.toContain('@model');
    const chosen = await rulelang(folder, ['infer', 'staff.csv', '--column', 'name']);
    expect(chosen.stdout).toContain('staff(Name) <- staff_source(Name).');
});

test('what cannot be read is refused with its name, and what a model reads with its command', async () => {
    const folder = folderWith({ 'broken.parquet': 'PAR' });
    const broken = await rulelang(folder, ['infer', 'broken.parquet']);
    expect(broken).toMatchObject({ code: 1, stdout: '' });
    expect(broken.stderr).toMatch(/^error RT\d+: 'broken\.parquet' /u);
    expect(broken.stderr).not.toContain('┌─');
    const asked =
        (...args: string[]) =>
        () =>
            infer.job(readArguments(args, infer.options));
    expect(asked()).toThrow('name the source: a file, or TYPE://USER@HOST:PORT/DATABASE');
    expect(asked('bill.pdf')).toThrow("a language model finds the facts of 'bill.pdf': rulelang data infer bill.pdf");
    expect(asked('what')).toThrow("'what' does not tell by its name what it is; give --type");
    expect(asked('postgresql://a:b@localhost/c')).toThrow('give it with --secret NAME');
});
