import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { DerivationNode, FactNode } from '#engine/explain/explanation.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { check, runOptions } from '../../support/conformance.ts';
import { expectProof } from '../../support/proof-checker.ts';

async function explained(text: string) {
    const { program } = check(text);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    if (!outcome.ok) throw new Error('stopped');
    const { database } = outcome;
    const [predicate] = program.outputs;
    if (predicate === undefined) throw new Error('no output');
    const label = nullLabels(database.dictionary);
    const facts = [...listPredicate(database, predicate).rows].map(row => explainFact(database, { predicate, row }, { label }));
    return { database, facts };
}

function derivedBy(fact: FactNode, change: (derivation: DerivationNode) => DerivationNode): FactNode {
    return { ...fact, derivations: fact.derivations.map(change) };
}

const JOIN = 'p("a",1). p("b",7). q("a"). q("b"). r(X) <- p(X, N), q(X), N > 0. @output("r").';
const SUM = 'p("a",1). p("a",2). p("b",5). r(X, S) <- p(X, N), S = msum(N). @output("r").';

const TWO_RULES = 'p("a",1). p("a",2). q("a",4). r(X, S) <- p(X, N), S = msum(N). r(X, S) <- q(X, N), S = msum(N). @output("r").';
const EQUAL = 'q("b"). k("b",7). p(X, N) <- q(X). N = M <- p(X, N), k(X, M). @output("p").';
const CLOSURES = 'e("a","b"). e("b","c"). f("b","a"). t(X, Y) <- #TC(e). u(X, Y) <- #TC(f). @output("t"). @output("u").';
const EXPLODED = 'l("a",[3,1,3]). r(X, S) <- l(X, L), N = collections:explode(L), S = msum(N). @output("r").';

test.each([JOIN, SUM, TWO_RULES, EQUAL, CLOSURES, EXPLODED])('a proof is one: %s', async text => {
    const { database, facts } = await explained(text);
    for (const fact of facts) expectProof(database, fact);
});

test('premises of another fact are none', async () => {
    const { database, facts } = await explained(JOIN);
    const [first, second] = facts;
    const wrong = derivedBy(first as FactNode, derivation => ({ ...derivation, premises: second?.derivations[0]?.premises ?? [] }));
    expect(() => expectProof(database, wrong)).toThrow(/gives r\("a"\)/u);
});

test('nor are premises that do not join', async () => {
    const { database, facts } = await explained(JOIN);
    const [first, second] = facts;
    const others = second?.derivations[0]?.premises ?? [];
    const wrong = derivedBy(first as FactNode, derivation => ({
        ...derivation,
        premises: [...derivation.premises.slice(0, 1), ...others.slice(1)],
    }));
    expect(() => expectProof(database, wrong)).toThrow(/holds for the premises/u);
});

test('a group without one of its contributions has another value', async () => {
    const { database, facts } = await explained(SUM);
    const wrong = derivedBy(facts[0] as FactNode, derivation => ({
        ...derivation,
        premises: derivation.premises.map(premise =>
            premise.kind === 'group' ? { ...premise, contributions: premise.contributions.slice(1) } : premise,
        ),
    }));
    expect(() => expectProof(database, wrong)).toThrow(/the contributions give/u);
});

test.each([TWO_RULES, EXPLODED])('nor has one of several rules or elements: %s', async text => {
    const { database, facts } = await explained(text);
    const wrong = derivedBy(facts[0] as FactNode, derivation => ({
        ...derivation,
        premises: derivation.premises.map(premise =>
            premise.kind === 'group'
                ? {
                      ...premise,
                      contributions:
                          text === EXPLODED ? [...premise.contributions, ...premise.contributions] : premise.contributions.slice(1),
                  }
                : premise,
        ),
    }));
    expect(() => expectProof(database, wrong)).toThrow(text === EXPLODED ? /is a match of its rule/u : /the contributions give/u);
});

test('a null becomes a value by an equality alone, which follows from its facts', async () => {
    const { database, facts } = await explained(EQUAL);
    const without = derivedBy(facts[0] as FactNode, derivation => ({ ...derivation, premises: derivation.premises.slice(0, 1) }));
    expect(() => expectProof(database, without)).toThrow(/gives p\("b",7\)/u);
    const other = derivedBy(facts[0] as FactNode, derivation => ({
        ...derivation,
        premises: derivation.premises.map(premise =>
            premise.kind === 'fact' && premise.asMatched
                ? { ...premise, derivations: premise.derivations.map(step => ({ ...step, premises: step.premises.slice(1) })) }
                : premise,
        ),
    }));
    expect(() => expectProof(database, other)).toThrow(/states a fact for each atom/u);
});

test('a relation function gives the rows of its definition only', async () => {
    const { database, facts } = await explained(CLOSURES);
    const [first] = facts;
    const rules = database.program.rules.filter(({ reads }) => reads.length > 0);
    const wrong = derivedBy(first as FactNode, derivation => ({
        ...derivation,
        place: rules[1]?.rule.place ?? derivation.place,
        span: rules[1]?.rule.span ?? derivation.span,
    }));
    expect(() => expectProof(database, wrong)).toThrow(/gives t\("a","b"\)/u);
});
