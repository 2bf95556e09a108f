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

test.each([JOIN, SUM])('a proof is one: %s', async text => {
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
    expect(() => expectProof(database, wrong)).toThrow(/matches the premises/u);
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
