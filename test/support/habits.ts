/** Changes one line of a program; undefined where the line has nothing of the kind. */
type Change = (line: string) => string | undefined;

/** What the language writes, and what people do who know other languages. Both mean the same. */
export interface Habit {
    readonly written: Change;
    readonly habit: Change;
}

function otherwise(pattern: RegExp, ...forms: readonly string[]): Habit[] {
    return forms.map(form => ({ written: line => line, habit: replacing(pattern, form) }));
}

function replacing(pattern: RegExp, form: string): Change {
    return line => (pattern.test(line) ? line.replace(pattern, form) : undefined);
}

/** Items at the end of a rule; `$1` is a variable that the rule binds. */
function items(written: string, habit: string): Habit {
    const adding =
        (added: string): Change =>
        line => {
            const variable = /<- \w+\((?:[^XYZ()]*, )?([XYZ])\b/u.exec(line)?.[1];
            const takes = variable !== undefined && line.endsWith('.') && !line.includes(' A = ');
            return takes ? `${line.slice(0, -1)}, ${added.replaceAll('$1', variable)}.` : undefined;
        };
    return { written: adding(written), habit: adding(habit) };
}

export const HABITS: readonly Habit[] = [
    ...otherwise(/ == /u, ' === ', ' =:= ', ' = '),
    ...otherwise(/ != /u, ' !== ', ' \\= ', ' =\\= ', ' ~= ', ' /= ', ' \\== '),
    ...otherwise(/ <= /u, ' =< '),
    ...otherwise(/\bnot (\w+\([^()]*\))/u, '!$1', '\\+ $1', '\\+($1)', 'not($1)', 'not ($1)', '~$1', 'NOT $1', '-$1'),
    ...otherwise(/\bnot (\w+\([^()]*\))/u, 'not ($1, 1 < 2)', 'not ($1, $1)', '\\+ ($1, 1 < 2)', '! ($1, not c(99))'),
    ...otherwise(/(?<=<- .*\)), (?=[a-z])/u, ' and ', ' AND ', ' ', ', , ', ' && '),
    ...otherwise(/\.$/u, '', '..', ' .', ',.', ';'),
    ...otherwise(/^@output\("(\w+)"\)/u, '@output($1)', '@output "$1"', "@output('$1')"),
    ...otherwise(/$/u, ' // a note', ' -- a note', ' # a note'),
    ...otherwise(/^(?=[a-z])/u, '// a note\n', '# a note\n', '/* a note */\n'),
    ...otherwise(/\bnull\b/u, 'nil', 'NULL', 'None'),
    ...otherwise(/\b0\b/u, '00'),
    { written: replacing(/(?<![\w.])0(?![\w.])/u, '0.0'), habit: replacing(/(?<![\w.])0(?![\w.])/u, '.0') },
    ...otherwise(/(?<=<-.*\(.*, )_(?=\))/u, 'Unused'),
    ...otherwise(/(?<=<-.*\()_(?=, )/u, 'Unused', '_Unused'),
    items('0 <= $1, $1 <= 2', '0 <= $1 <= 2'),
    items('$1 >= 0, $1 <= 2', '$1 between 0 and 2'),
    items('$1 in {1, 2}', '$1 in (1, 2)'),
    items('is_not_null($1)', '$1 is not null'),
    items('$1 == 2', '$1 = 2'),
    items('N2 = $1, N2 >= 0', 'N2 is $1, N2 >= 0'),
    items('N2 = $1, N2 >= 0', 'N2 := $1, N2 >= 0'),
    items('$1 < -1', '$1<-1'),
    items('!($1 > 2)', 'not $1 > 2'),
    items('!($1 > 2)', 'not ($1 > 2)'),
    items('a($1, V2), b($1, V2)', '(a($1, V2), b($1, V2))'),
    items('V2 = $1, not a(V2, 1)', 'V2 = $1, not (a(V2, V3), V3 == 1)'),
    items('b($1, V2), not a($1, V2)', 'b($1, V2), not (a($1, V3), V3 == V2)'),
];
