import { type Cause, endOf, firstCause, type Reason, type WhyNot } from '#engine/explain/cause.ts';
import { type EmptyRule, emptyRules } from '#engine/explain/empty-rules.ts';
import type { Origin } from '#engine/explain/explanation.ts';
import { type FailureWords, failureWords, matchesText, stoppingWords } from '#engine/explain/failure-words.ts';
import { askedValues } from '#engine/explain/find-facts.ts';
import { whyNot, whyNotEqual } from '#engine/explain/why-not.ts';
import { causeText, changesText, nearText, reasonText, searchLimits } from '#engine/explain/why-not-text.ts';
import { type Predicate, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { Absence, AbsenceReason, HoldingPremise, Lack, NodePlace, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { type AskedEquality, labelledValues } from './asked-equality.ts';
import { type AskedFact, findAsked, readFact } from './asked-fact.ts';
import type { ExplainedFacts } from './explained-facts.ts';

type Absent = Extract<WhyNotAnswer, { readonly kind: 'absent' }>;

/** Why another evaluation lacks a fact that it should have given, by the text of the fact; undefined for facts that none should have given. */
export type AbsentElsewhere = (fact: string) => (() => Absent) | undefined;

/** Facts of an answer that are listed. */
const LISTED = 100;

/** Missing facts of one evaluation as people are shown them. */
export class Absences {
    readonly #facts: ExplainedFacts;
    readonly #elsewhere: AbsentElsewhere;
    readonly #checkpoint: () => void;

    /** `checkpoint` ends an answer by an error that takes too long. */
    constructor(facts: ExplainedFacts, elsewhere: AbsentElsewhere = () => undefined, checkpoint: () => void = () => undefined) {
        this.#facts = facts;
        this.#elsewhere = elsewhere;
        this.#checkpoint = checkpoint;
    }

    /** Why a fact is missing, or that it is there. */
    answer(asked: AskedFact, question: string): WhyNotAnswer {
        const { database, label } = this.#facts.results;
        const found = findAsked(database, asked, label, this.#checkpoint);
        switch (found.kind) {
            case 'unknown-predicate':
            case 'wrong-arity':
                return refuse(say`The results have no facts like ${question}`);
            case 'others':
                return refuse(say`${question} is not there, but facts with other unknown values are: put _ in their place`);
            case 'found': {
                const facts = found.facts.slice(0, LISTED).map(fact => this.#facts.fact(fact));
                return { kind: 'present', facts, count: found.facts.length };
            }
            case 'absent':
                return this.absent(asked);
        }
    }

    /** Why two unknown values are two. */
    equality(labels: AskedEquality): Absent {
        const { database, label } = this.#facts.results;
        const values = labelledValues(database, labels, label);
        if (typeof values === 'string') return refuse(values);
        if (values[0] === values[1]) return refuse(say`It is one unknown value`);
        const found = whyNotEqual(database, values, { label, checkpoint: this.#checkpoint });
        return { kind: 'absent', absence: this.#missing(found), ...this.#first(firstCause(found)) };
    }

    /** Why no fact fits; of a predicate without facts, why no rule of it derives any. */
    absent({ atom, place }: AskedFact): Absent {
        const predicate = predicateKey(atom.predicate, atom.arguments.length);
        const values = askedValues(this.#facts.results.database, atom, place);
        const { database, label } = this.#facts.results;
        if (values.every(value => value === undefined)) {
            const absence = this.#empty(predicate, new Set());
            const last = this.#deepest(absence);
            return { kind: 'absent', absence, ...(last === undefined ? {} : { first: { words: last.words, places: last.places } }) };
        }
        const found = whyNot(database, { predicate, values }, { label, checkpoint: this.#checkpoint });
        const first = firstCause(found);
        return {
            kind: 'absent',
            absence: this.#missing(found),
            ...this.#first(first),
        };
    }

    /** Names the places to look at first. If another evaluation lacks the fact, these are places there. */
    #first(reason: Reason | undefined): Pick<Absent, 'first'> {
        if (reason === undefined) return {};
        const deeper = this.#givenElsewhere(reason.cause)?.().first;
        if (deeper !== undefined && deeper.places.length > 0) return { first: deeper };
        return { first: { words: reasonText(reason), places: this.#placesOf(reason, reason.cause) } };
    }

    #givenElsewhere(cause: Cause): (() => Absent) | undefined {
        return cause.kind === 'missing' && !cause.derivable && cause.further === undefined ? this.#elsewhere(cause.fact) : undefined;
    }

    #missing(found: WhyNot): Absence {
        return {
            fact: found.fact,
            kind: found.present === true ? 'present' : found.further ? 'further' : 'missing',
            reasons: found.reasons.map(reason => this.#reason(reason)),
            ...(found.edits.length === 0 ? {} : { edits: found.edits.map(edit => this.#reason(endOf(edit))) }),
            limits: searchLimits(found),
        };
    }

    #reason(reason: Reason): AbsenceReason {
        const { rule, cause, premises, because, changes } = reason;
        const causes = cause.kind === 'several' ? cause.causes : [cause];
        const lacks = causes.map(one => this.#lack(reason, one));
        const [first, ...more] = lacks;
        const node = because && this.#facts.nodes.number(because, () => ({ absence: () => this.#missing(because) }));
        return {
            ...(rule === undefined
                ? {}
                : { rule: { text: rule.text, place: this.#facts.place({ kind: 'clause', place: rule.place, span: rule.span }) } }),
            holds: premises.map(text => this.#holding(text)),
            lacks: first === undefined || node === undefined ? lacks : [{ ...first, node }, ...more],
            ...(changes === undefined ? {} : { changes: changesText(changes) }),
        };
    }

    #lack(reason: Reason, cause: Cause): Lack {
        const near = cause.kind === 'missing' ? cause.near : [];
        const present = cause.kind === 'negation' ? this.#holding(cause.fact).fact : undefined;
        const elsewhere = this.#givenElsewhere(cause);
        return {
            words: reasonText({ cause, untried: reason.untried }),
            ...(elsewhere === undefined ? {} : { node: this.#facts.nodes.number(cause, () => ({ absence: () => elsewhere().absence })) }),
            places: this.#placesOf(reason, cause),
            near: near.map(one => ({
                words: nearText(one),
                ...(one.origin === undefined ? {} : { place: this.#facts.place(one.origin) }),
            })),
            ...(present === undefined ? {} : { fact: present }),
        };
    }

    /** Lists the places to look at: first in the program, then in the data. */
    #placesOf({ place }: Reason, cause: Cause): NodePlace[] {
        const origins = [place, originOf(cause)].flatMap(origin => (origin === undefined ? [] : [this.#facts.place(origin)]));
        return origins.filter(({ label }, at) => origins.findIndex(other => other.label === label) === at);
    }

    /** A premise, with what there is to say about it where its text names one fact of the results. */
    #holding(text: string): HoldingPremise {
        const { database, label } = this.#facts.results;
        const asked = readFact(text);
        const found = asked && findAsked(database, asked, label);
        const [fact, ...others] = found?.kind === 'found' ? found.facts : [];
        return fact === undefined || others.length > 0 ? { text } : { text, fact: this.#facts.fact(fact) };
    }

    /** Why a predicate has no facts; `above` are those that this is said for. */
    #empty(key: PredicateKey, above: ReadonlySet<PredicateKey>): Absence {
        const { database } = this.#facts.results;
        const predicate = database.program.predicates.get(key);
        if (predicate === undefined) return { fact: key, kind: 'empty', reasons: [], limits: [] };
        const known = new Set([...above, key]);
        const rules = emptyRules(database, predicate, this.#checkpoint);
        const given = givenReasons(predicate, origin => this.#facts.place(origin));
        return {
            fact: openFact(predicate),
            kind: 'empty',
            reasons: [...rules.map(rule => this.#emptyReason(predicate, rule, known)), ...given],
            limits: searchLimits({ cutShort: rules.some(({ cutShort }) => cutShort) }),
        };
    }

    #emptyReason(
        predicate: Predicate,
        { rule, holds, fails, stopsAt, valueless, cutShort }: EmptyRule,
        above: ReadonlySet<PredicateKey>,
    ): AbsenceReason {
        const { database, label } = this.#facts.results;
        const { place, span } = rule.rule;
        const own = { text: printRuleText(rule.rule), place: this.#facts.place({ kind: 'clause', place, span }) };
        const reason = {
            rule: own,
            holds: holds.map(({ text, matches }) => ({ text, note: matchesText(matches) })),
        };
        if (fails !== undefined) {
            const words = failureWords(database, label, fails);
            const at = this.#facts.place({ kind: 'clause', place, span: fails.span });
            return { ...reason, lacks: [this.#failure(words, at, above)] };
        }
        if (valueless !== undefined) {
            const at = this.#facts.place({ kind: 'clause', place, span: valueless.span });
            return { ...reason, lacks: [{ words: causeText(valueless.cause), places: [at], near: [] }] };
        }
        if (stopsAt !== undefined) {
            const words = stoppingWords(database, label, predicate, stopsAt);
            const at = this.#facts.place({ kind: 'clause', place, span: stopsAt.condition.span });
            return { ...reason, lacks: [{ words, places: [at], near: [] }] };
        }
        const words = cutShort ? say`its matches are too many to look through all of them` : say`the body gives no rows`;
        return { ...reason, lacks: [{ words, places: [own.place], near: [] }] };
    }

    #failure({ words, missing, present }: FailureWords, at: NodePlace, above: ReadonlySet<PredicateKey>): Lack {
        const lack: Lack = { words, places: [at], near: [] };
        if (present !== undefined) return { ...lack, fact: this.#facts.fact(present) };
        if (missing === undefined || above.has(missing.predicate)) return lack;
        const { database, label } = this.#facts.results;
        const predicate = database.program.predicates.get(missing.predicate);
        const { rules = [], inputBinds = [] } = predicate ?? {};
        const explained = (): Absence => this.#missing(whyNot(database, missing, { label, checkpoint: this.#checkpoint }));
        const isOpen = missing.values.every(value => value === undefined);
        const fact = predicate === undefined || rules.length > 0 ? undefined : isOpen ? openFact(predicate) : explained().fact;
        const elsewhere = fact === undefined ? undefined : this.#elsewhere(fact);
        if (elsewhere !== undefined)
            return { ...lack, node: this.#facts.nodes.number(lack, () => ({ absence: () => elsewhere().absence })) };
        if (rules.length === 0 && !isOpen) return { ...lack, near: explained().reasons[0]?.lacks[0]?.near ?? [] };
        if (rules.length === 0 && inputBinds.length === 0) return { ...lack, words: say`${words}: no clause and no data gives one` };
        const absence = isOpen ? (): Absence => this.#empty(missing.predicate, above) : explained;
        return { ...lack, node: this.#facts.nodes.number(lack, () => ({ absence })) };
    }

    /** Finds the lack to look at first if there is no choice of rules: the end of a chain of single reasons. */
    #deepest({ kind, reasons }: Absence): Lack | undefined {
        const [reason, ...others] = reasons;
        const [lack, ...more] = reason?.lacks ?? [];
        if (kind !== 'empty' || lack === undefined || others.length + more.length > 0) return undefined;
        return (lack.node === undefined ? undefined : this.#deepest(this.#facts.nodes.absence(lack.node))) ?? lack;
    }
}

/** `control(_,_)` */
function openFact({ name, columns }: Predicate): string {
    return `${name}(${columns.map(() => '_').join(',')})`;
}

/** Says which sources of a predicate gave no rows, or that no clause and no data gives facts of it. */
function givenReasons({ name, rules, inputBinds }: Predicate, place: (origin: Origin) => NodePlace): AbsenceReason[] {
    if (inputBinds.length > 0) {
        return inputBinds.map(bind => ({
            holds: [],
            lacks: [
                {
                    words: say`${bind.inner} gives no rows for ${name}`,
                    places: [place({ kind: 'clause', place: bind.place, span: bind.annotation.span })],
                    near: [],
                },
            ],
        }));
    }
    if (rules.length > 0) return [];
    return [{ holds: [], lacks: [{ words: say`no clause and no data gives a fact of ${name}`, places: [], near: [] }] }];
}

/** The given fact that a cause names beside the program. */
function originOf(cause: Cause): Origin | undefined {
    if ('origin' in cause) return cause.origin;
    return 'near' in cause && cause.kind !== 'missing' ? cause.near?.origin : undefined;
}
