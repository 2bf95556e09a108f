import type { Database } from '#engine/contracts/database.ts';
import { type EmptyRule, emptyRules } from '#engine/explain/empty-rules.ts';
import { failureWords, matchesText, stoppingWords } from '#engine/explain/failure-words.ts';
import { causeText } from '#engine/explain/why-not-text.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import type { Fact, Rule } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Notice } from '#server/notices/notice.ts';
import type { Evaluation } from './evaluate-job.ts';

/** Rules to search at most, and literals to report. */
const LOOKED_AT = 20;
const TOLD = 5;
/** Milliseconds that an evaluation may have taken for it to be repeated, and that the repetition may take. */
const QUICK = 1000;
const AGAIN = 2000;

/** Notes that may say why there are no rows: names that are nearly the same, unknown values that never join, columns of several types, patterns read as text. */
const TELLING: ReadonlySet<string> = new Set(['RL1117', 'RL2203', 'RL4020', 'RL5020']);

/**
 * Why outputs without rows have none: the notes about the rules that they rest on, and in each rule that gives nothing the
 * literal that no row passes.
 */
export async function emptyOutputs(evaluation: Evaluation, outputs: readonly PredicateKey[]): Promise<Notice[]> {
    const { loaded, outcome, notes } = evaluation;
    const { program } = loaded;
    const empty = outputs.flatMap(key => program.predicates.get(key) ?? []).filter(({ rules }) => rules.length > 0);
    if (empty.length === 0) return [];
    const below = predicatesBelow(
        program,
        empty.map(({ key }) => key),
    );
    const clauses = [...below].flatMap(key => clausesOf(program, key));
    const isBelow = ({ place }: Notice): boolean =>
        clauses.some(
            ({ place: { file, offset }, span }) => file === place?.file && offset <= place.start && place.start < offset + span.end,
        );
    const told = notes
        .filter(({ code }) => TELLING.has(code))
        .filter(isBelow)
        .slice(0, TOLD);
    const { loading, evaluating } = outcome.statistics;
    const isGoal = (key: PredicateKey): boolean => program.outputs.includes(key) || program.predicates.get(key)?.rules.length === 0;
    const isWhole = [...below].every(key => isGoal(key) && outcome.database.relation(key) !== undefined);
    const database = isWhole ? outcome.database : loading + evaluating <= QUICK ? await evaluation.again(below, AGAIN) : undefined;
    return database === undefined ? told : [...told, ...stops(database, empty)];
}

function clausesOf({ predicates, rules }: AnalysedProgram, key: PredicateKey): readonly (Fact | Rule)[] {
    const predicate = predicates.get(key);
    return [...(predicate?.facts ?? []), ...(predicate?.rules ?? []).flatMap(index => rules[index]?.rule ?? [])];
}

interface Stop {
    /** Names of the outputs that have no rows for it. */
    readonly outputs: Set<string>;
    readonly predicate: Predicate;
    readonly rule: EmptyRule;
}

function stops(database: Database, outputs: readonly Predicate[]): Notice[] {
    const found = new Map<number, Stop>();
    const known = new Map<PredicateKey, readonly EmptyRule[]>();
    let left = LOOKED_AT;
    const rulesOf = (predicate: Predicate): readonly EmptyRule[] => {
        const rules = known.get(predicate.key) ?? (left > 0 ? emptyRules(database, predicate) : []);
        if (!known.has(predicate.key)) left -= predicate.rules.length;
        known.set(predicate.key, rules);
        return rules;
    };
    const visit = (output: string, predicate: Predicate, above: Set<PredicateKey>): void => {
        above.add(predicate.key);
        for (const rule of rulesOf(predicate)) {
            const deeper = withoutFacts(database, rule);
            if (deeper !== undefined && deeper.rules.length > 0) {
                if (!above.has(deeper.key)) visit(output, deeper, above);
                continue;
            }
            if (rule.fails === undefined && rule.stopsAt === undefined && rule.valueless === undefined) continue;
            const stop = found.get(rule.rule.index) ?? { outputs: new Set(), predicate, rule };
            found.set(rule.rule.index, stop);
            stop.outputs.add(output);
        }
    };
    for (const output of outputs) visit(output.name, output, new Set());
    const label = nullLabels(database.dictionary);
    return [...found.values()].slice(0, TOLD).flatMap(stop => stopNotice(database, label, stop));
}

/** The derived predicate without facts at which a rule stops. */
function withoutFacts({ program }: Database, { fails }: EmptyRule): Predicate | undefined {
    if (fails?.item.kind !== 'atom' || (fails.item.rows?.count ?? 0) > 0) return undefined;
    return program.predicates.get(fails.item.literal.predicate);
}

function stopNotice(
    database: Database,
    label: NullLabel,
    { outputs, predicate, rule: { rule, fails, stopsAt, valueless } }: Stop,
): Notice[] {
    const others = [...outputs].filter(name => name !== predicate.name);
    const names = others.map(name => `'${name}'`).join(', ');
    const has = others.length > 1 ? 'have' : 'has';
    const what =
        others.length === 0 ? say`'${predicate.name}' has no rows` : say`${names} ${has} no rows, because '${predicate.name}' has none`;
    const { place } = rule.rule;
    const notice = (words: string, { start, end }: { readonly start: number; readonly end: number }, remedy: string): Notice => ({
        severity: 'information',
        code: '',
        message: `${what}: ${words}`,
        ...(remedy === '' ? {} : { remedy }),
        place: { file: place.file, start: place.offset + start, end: place.offset + end },
        related: [],
    });
    if (fails !== undefined) {
        const { words, example = '' } = failureWords(database, label, fails);
        if (fails.item.kind === 'atom') return [notice(words, fails.span, '')];
        const first = fails.matches.count > 1 && example !== '' ? say`in the first of ${matchesText(fails.matches)}, ` : '';
        return [notice(say`no row passes ${fails.text}`, fails.span, `${first}${example}`)];
    }
    if (valueless !== undefined) return [notice(causeText(valueless.cause), valueless.span, '')];
    return stopsAt === undefined ? [] : [notice(stoppingWords(database, label, predicate, stopsAt), stopsAt.condition.span, '')];
}
