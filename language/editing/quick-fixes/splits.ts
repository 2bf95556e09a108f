import { say } from '#language/program/say.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { extractPredicate } from '../refactorings/extract-predicate.ts';
import { refactoringRequest } from '../refactorings/refactoring.ts';
import { ruleOf } from '../refactorings/rule-parts.ts';
import { annotationAddition, type Fix, type FixRequest, freshName, otherFix, ownClause, replacement } from './fix.ts';
import { joinConstants } from './nulls.ts';

/** RL9034: as many items from the start as can move to a predicate of their own, about half of them. */
export function* extractHalf({ document, clause }: FixRequest): Iterable<Fix> {
    if (clause.kind !== 'rule' || clause.body.kind !== 'items') return;
    const { items } = clause.body;
    const [first] = items;
    const middle = Math.ceil(items.length / 2);
    const sizes = items.map((_, index) => index + 1).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    for (const size of sizes) {
        const last = items[size - 1];
        if (first === undefined || last === undefined || size < 2) continue;
        const range = { start: clause.place.offset + first.span.start, end: clause.place.offset + last.span.end };
        const request = refactoringRequest(workspaceOf(document), document, range);
        const [offer] = request === undefined ? [] : extractPredicate(request);
        if (offer === undefined) continue;
        yield {
            title: say`Move the first ${size} items to a predicate of their own`,
            edits: offer.edits().get(document.file) ?? [],
            preferred: false,
        };
        return;
    }
}

/** RL2201: a helper predicate that joins without passing unknown values on, a join of constants only, or a warning for all such rules. */
export function* mendWardedness(request: FixRequest): Iterable<Fix> {
    yield* joinInHelper(request);
    yield* joinConstants(request);
    const { document, problem } = request;
    if (problem.severity !== 'error') return;
    yield { title: say`Add '@relaxedSafety'`, edits: [annotationAddition(document, 'relaxedSafety', '@relaxedSafety.')], preferred: false };
}

/**
 * One atom with all dangerous variables stays; the others are joined with it in a predicate whose columns are the harmless
 * variables. The rule asks then whether such a join exists, which is not the same where the harmless ones do not tell the rows apart.
 */
function* joinInHelper(request: FixRequest): Iterable<Fix> {
    const { document, clause, text } = request;
    if (clause.kind !== 'rule' || clause.body.kind !== 'items' || clause.head.kind !== 'atoms') return;
    const rule = ruleOf(document.analysed, clause);
    const found = rule && document.analysed.chase.rules[rule.index];
    const [head] = clause.head.atoms;
    if (found === undefined || head === undefined || found.warded) return;
    const { body } = clause;
    const atoms = body.items.flatMap(item => (item.kind === 'atom' && !item.negated ? [item] : []));
    const variablesOf = ({ atom }: (typeof atoms)[number]): string[] => variableNames(atom.arguments);
    const ward = atoms.find(atom => [...found.dangerous].every(name => variablesOf(atom).includes(name)));
    if (ward === undefined) return;
    const others = new Set(atoms.filter(atom => atom !== ward).flatMap(variablesOf));
    const inHead = new Set(variableNames(head.arguments));
    const own = new Set(variablesOf(ward));
    const columns = [...new Set([...own, ...others])].filter(name => !found.harmful.has(name) && (inHead.has(name) || own.has(name)));
    if (!columns.some(name => own.has(name))) return;
    const helper = `${freshName(request, `${head.predicate}_join`)}(${columns.join(', ')})`;
    const written = text.slice(body.span.start, body.span.end);
    yield otherFix(
        request,
        say`Join in a helper predicate '${helper}'`,
        replacement(body.span, `${text.slice(ward.span.start, ward.span.end)}, ${helper}`),
        ownClause(request, `${helper} <- ${written}.`),
    );
}
