import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Replay, ReplayRound, ReplayStep } from '#engine/explain/replay.ts';
import { type AnalysedProgram, type AnalysedRule, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { Refusal, refuse } from '#server/notices/refusal.ts';
import { questionProblem, readFact } from '#server/runs/asked-fact.ts';
import { matchOf } from './match-view.ts';
import type { Places } from './places.ts';
import { type Condition, condition, factTest, type Moment, type Template, template } from './questions.ts';

/** A place at which a client wants to stop. Its parts are read when there is a derivation. */
export interface Breakpoint {
    readonly id: number;
    readonly kind: 'rule' | 'fact' | 'filter';
    /** Its name when execution stops there. */
    readonly name: string;
    /** The predicates whose rows it can stop at; any where absent. */
    readonly predicates?: ReadonlySet<PredicateKey>;
    /** Whether a step is one of its own, conditions aside. */
    readonly isAt: (replay: Replay) => (step: ReplayStep) => boolean;
    readonly condition?: string | undefined;
    readonly hitCondition?: string | undefined;
    readonly logMessage?: string | undefined;
}

/** A breakpoint, if there is one, with the client's view of it. */
export interface SetBreakpoint {
    readonly told: DebugProtocol.Breakpoint;
    readonly made?: Breakpoint;
}

/** A breakpoint at the rules of a line. */
export function ruleBreakpoint(places: Places, file: string, asked: DebugProtocol.SourceBreakpoint, id: number): SetBreakpoint {
    const rules = places.rulesAt(file, asked.line);
    const [first] = rules;
    if (first === undefined) return { told: { id, verified: false, line: asked.line, message: say`No rule stands in this line` } };
    const heads = rules.flatMap(({ heads }) => heads.map(({ predicate }) => predicate));
    const equates = rules.some(({ rule }) => rule.head.kind === 'equality');
    if (heads.length === 0 && !equates)
        return { told: { id, verified: false, line: asked.line, message: say`A constraint derives nothing` } };
    return checked({
        told: { id, verified: true, ...places.rangeOf(first) },
        made: {
            id,
            kind: 'rule',
            name: places.label(first),
            ...(!equates && { predicates: new Set(heads) }),
            isAt: () => step => step.rule !== undefined && rules.includes(step.rule),
            ...asked,
        },
    });
}

/** A breakpoint at the rows that fit an atom, or at all of a predicate. */
export function factBreakpoint(program: AnalysedProgram, asked: DebugProtocol.FunctionBreakpoint, id: number): SetBreakpoint {
    const name = asked.name.trim().replace(/[.?]$/u, '');
    const named = [...program.predicates.values()].filter(predicate => predicate.name === name || predicate.key === name);
    if (named.length > 0) {
        const predicates = new Set(named.map(({ key }) => key));
        const isAt =
            () =>
            ({ row }: ReplayStep) =>
                predicates.has(row.predicate);
        return checked({ told: { id, verified: true }, made: { id, kind: 'fact', predicates, isAt, ...asked, name } });
    }
    const fact = readFact(name);
    const problem = questionProblem(program, fact);
    if (problem !== undefined || fact === undefined) return { told: { id, verified: false, ...(problem && { message: problem }) } };
    const predicates = new Set([predicateKey(fact.atom.predicate, fact.atom.arguments.length)]);
    const isAt = (replay: Replay): ((step: ReplayStep) => boolean) => {
        const fits = factTest(replay, fact);
        return ({ row }) => fits(row);
    };
    return checked({ told: { id, verified: true }, made: { id, kind: 'fact', predicates, isAt, ...asked, name } });
}

/** Events at which a client can choose to stop, like exceptions of other languages. */
export function filters(): (DebugProtocol.ExceptionBreakpointsFilter & { readonly filter: 'nulls' | 'merges' })[] {
    return [
        {
            filter: 'nulls',
            label: say`Unknown values`,
            description: say`Stops where a rule makes up a value that no data gives.`,
            supportsCondition: true,
        },
        {
            filter: 'merges',
            label: say`Equalities`,
            description: say`Stops where an equality head has given a row its values.`,
            supportsCondition: true,
        },
    ];
}

export function filterBreakpoint(program: AnalysedProgram, asked: DebugProtocol.ExceptionFilterOptions, id: number): SetBreakpoint {
    const filter = filters().find(one => one.filter === asked.filterId);
    if (filter === undefined) return { told: { id, verified: false } };
    const { condition } = asked;
    const base = { id, kind: 'filter', name: filter.label, condition } as const;
    if (filter.filter === 'merges') {
        const isAt =
            () =>
            ({ rule }: ReplayStep) =>
                rule?.rule.head.kind === 'equality';
        return checked({ told: { id, verified: true }, made: { ...base, isAt } });
    }
    const inventing = program.rules.filter(makesNulls);
    const predicates = new Set(inventing.flatMap(({ heads }) => heads.map(({ predicate }) => predicate)));
    const isAt =
        () =>
        ({ rule }: ReplayStep) =>
            rule !== undefined && inventing.includes(rule);
    return checked({ told: { id, verified: true }, made: { ...base, predicates, isAt } });
}

function makesNulls({ existential, heads, assignments }: AnalysedRule): boolean {
    const isAnonymous = heads.some(({ atom }) => atom.arguments.some(term => term.kind === 'anonymous'));
    return existential.length > 0 || isAnonymous || assignments.some(({ value }) => value.kind === 'skolem');
}

/** Says what is wrong with how often a breakpoint is to stop. Conditions are read when there is a derivation, which they need. */
function checked(set: SetBreakpoint): SetBreakpoint {
    try {
        hitTest(set.made?.hitCondition);
        return set;
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { told: { ...set.told, verified: false, message: error.message } };
    }
}

/** A breakpoint in a derivation. */
export class ActiveBreakpoint {
    readonly breakpoint: Breakpoint;
    readonly #replay: Replay;
    readonly #isAt: (step: ReplayStep) => boolean;
    readonly #condition: Condition | undefined;
    readonly #isDue: ((hits: number) => boolean) | undefined;
    readonly #log: Template | undefined;
    /** Steps that it has met, ascending, of those before `#counted`; kept where it matters how many there are. */
    readonly #hits: number[] = [];
    #counted = 0;

    /** A `Refusal` tells what is wrong with it. */
    constructor(breakpoint: Breakpoint, replay: Replay) {
        this.breakpoint = breakpoint;
        this.#replay = replay;
        this.#isAt = breakpoint.isAt(replay);
        this.#condition = isGiven(breakpoint.condition) ? condition(replay, breakpoint.condition) : undefined;
        this.#isDue = hitTest(breakpoint.hitCondition);
        this.#log = isGiven(breakpoint.logMessage) ? template(replay, breakpoint.logMessage) : undefined;
    }

    /** The text to log instead of stopping. */
    get log(): Template | undefined {
        return this.#log;
    }

    /** Whether some step of a round may be one of its own. */
    mayStopIn({ parts }: ReplayRound): boolean {
        const { predicates } = this.breakpoint;
        return predicates === undefined || parts.some(({ predicate }) => predicates.has(predicate));
    }

    /** Whether it stops at a step, or logs there: how often it has met one before counts from the first step, whichever way one came. */
    isHit(index: number): boolean {
        if (!this.#meets(index)) return false;
        return this.#isDue === undefined || this.#isDue(this.#metUpTo(index));
    }

    #meets(index: number): boolean {
        if (!this.#isAt(this.#replay.step(index))) return false;
        return this.#condition === undefined || this.#condition(momentAt(this.#replay, index));
    }

    #metUpTo(index: number): number {
        for (; this.#counted <= index; this.#counted++) {
            const round = this.#replay.rounds[this.#replay.roundAt(this.#counted)];
            if (round !== undefined && !this.mayStopIn(round)) this.#counted = Math.min(index, round.from + round.steps - 1);
            else if (this.#meets(this.#counted)) this.#hits.push(this.#counted);
        }
        return this.#hits.filter(hit => hit <= index).length;
    }
}

/** Returns the state of a step for questions. */
export function momentAt(replay: Replay, index: number): Moment {
    return { step: index, match: matchOf(replay, replay.explain(replay.step(index).row)) };
}

function isGiven(text: string | undefined): text is string {
    return text !== undefined && text.trim() !== '';
}

/** `5` is the fifth time, `>= 5` from then on, `% 2` every second time. */
function hitTest(text: string | undefined): ((hits: number) => boolean) | undefined {
    if (!isGiven(text)) return undefined;
    const [, operator = '==', digits = ''] = /^\s*(==?|>=?|<=?|%)?\s*(\d+)\s*$/u.exec(text) ?? [];
    const number = Number(digits);
    if (digits === '' || (operator === '%' && number === 0))
        return refuse(say`How often is a number, such as 5, >= 5 or % 2 for every second time`);
    switch (operator) {
        case '>':
            return hits => hits > number;
        case '>=':
            return hits => hits >= number;
        case '<':
            return hits => hits < number;
        case '<=':
            return hits => hits <= number;
        case '%':
            return hits => hits % number === 0;
        default:
            return hits => hits === number;
    }
}
