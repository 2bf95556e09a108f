import { writtenOptions } from '#language/analysis/relation-calls.ts';
import { resultColumns } from '#language/library/relation-question.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import type { Rule } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { itemAround, openingAfter, termsInside } from './clause-parts.ts';
import {
    annotationAddition,
    type Fix,
    type FixRequest,
    freshName,
    insertion,
    otherFix,
    ownClause,
    preferredFix,
    replacement,
} from './fix.ts';

function firstHead(clause: FixRequest['clause']): { readonly rule: Rule; readonly name: string } | undefined {
    if (clause.kind !== 'rule' || clause.head.kind !== 'atoms') return undefined;
    const [atom] = clause.head.atoms;
    return atom && { rule: clause, name: atom.predicate };
}

/** RL2010: the call gets a predicate of its own, which the rule reads. The clause cannot be read as it is. */
export function* extractCall(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem, marked } = request;
    const item = itemAround(tokens, problem.span.start);
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    const [name, headOpen] = tokens;
    const head = termsInside(tokens, 1);
    const [input, options] = inside?.spans ?? [];
    if (input === undefined || inside === undefined || inside.close.end !== item.end) return;
    if (name?.kind !== 'name' || headOpen?.text !== '(' || head === undefined) return;
    const columns = columnsOfCall(marked.slice(1), text.slice(input.start, input.end), options && text.slice(options.start, options.end));
    if (columns === undefined) return;
    const own = head.spans.map(({ start, end }) => text.slice(start, end)).filter(term => /^[A-Z]\w*$/u.test(term));
    const terms = (new Set(own).size === columns.length ? own : columns).join(', ');
    const helper = freshName(request, `${name.text}_${marked.slice(1).toLowerCase()}`);
    yield preferredFix(
        request,
        say`Move it to a helper predicate '${helper}'`,
        replacement(item, `${helper}(${terms})`),
        ownClause(request, `${helper}(${terms}) <- ${text.slice(item.start, item.end)}.`),
    );
}

/** The names of the columns that a graph function gives; `options` is a text in quotes. */
function columnsOfCall(name: string, input: string, options: string | undefined): readonly string[] | undefined {
    const span = { start: 0, end: 0 };
    const call = { name, input: { kind: 'predicate' as const, text: input, span }, span };
    const option = options === undefined ? {} : { options: { kind: 'string' as const, value: options.slice(1, -1), span } };
    const question = writtenOptions({ ...call, ...option })?.question;
    return question && resultColumns(question);
}

/** RL3009: `maxcount` is found in a rule of its own. */
export function* splitMaxcount(request: FixRequest): Iterable<Fix> {
    const { clause, text, tokens, problem } = request;
    const head = firstHead(clause);
    const item = itemAround(tokens, problem.span.start);
    const result = item.tokens[0];
    if (head === undefined || result?.kind !== 'variable' || item.tokens[1]?.text !== '=' || head.rule.body.kind !== 'items') return;
    const aggregated = new Set(
        head.rule.body.items.flatMap(({ kind, span }) => {
            const assigned =
                kind === 'expression'
                    ? /^([A-Z]\w*)\s*=\s*m?(?:sum|prod|count|min|max|avg|median|union|maxcount)\(/u.exec(text.slice(span.start, span.end))
                    : null;
            return assigned?.[1] === undefined ? [] : [assigned[1]];
        }),
    );
    const atom = head.rule.head.kind === 'atoms' ? head.rule.head.atoms[0] : undefined;
    const group = (atom?.arguments ?? []).flatMap(term => (term.kind === 'variable' && !aggregated.has(term.name) ? [term.name] : []));
    const others = head.rule.body.items.flatMap(({ span }) => {
        const written = text.slice(span.start, span.end);
        return [...aggregated].some(name => written.startsWith(`${name} `) || written.startsWith(`${name}=`)) ? [] : [written];
    });
    const helper = freshName(request, `${head.name}_maxcount`);
    const terms = [...group, result.text].join(', ');
    const body = [...others, text.slice(item.start, item.end)].join(', ');
    yield otherFix(
        request,
        say`Move it to a helper predicate '${helper}'`,
        replacement(item, `${helper}(${terms})`),
        ownClause(request, `${helper}(${terms}) <- ${body}.`),
    );
}

/** RL7109: a helper with the weight 1 for every edge. */
export function* addWeights(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    const [, needed, , columns] = argumentsOf(problem, 'RL7109');
    if (needed !== 3 || columns !== 2) return;
    const helper = freshName(request, `${marked}_weighted`);
    yield otherFix(
        request,
        say`Add a predicate '${helper}' with the weight 1`,
        replacement(problem.span, helper),
        ownClause(request, `${helper}(X, Y, 1) <- ${marked}(X, Y).`),
    );
}

/** RL7101: the head with the columns of the result. */
export function* writeResultColumns(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const [, names] = argumentsOf(problem, 'RL7101');
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    if (open === undefined || inside === undefined || !names.every(name => /^[A-Z]/u.test(name))) return;
    const kept = inside.spans.slice(0, names.length).map(({ start, end }) => text.slice(start, end));
    const terms = [...kept, ...names.slice(kept.length).map(name => (kept.includes(name) ? `${name}2` : name))].join(', ');
    const start = tokens[open]?.end ?? 0;
    yield preferredFix(request, say`Write (${terms})`, { start, end: inside.close.start, text: terms });
}

/** RL7107: the option with a node that somebody has to choose. */
export function* insertOption(request: FixRequest): Iterable<Fix> {
    const { problem, marked } = request;
    const [, option] = argumentsOf(problem, 'RL7107');
    const value = option === 'source' || option === 'target' ? 'start' : '1';
    const written = marked.startsWith('"')
        ? insertion(problem.span.end - 1, `${marked.length > 2 ? ', ' : ''}${option}=${value}`)
        : undefined;
    const edit = written ?? insertion(problem.span.end - 1, `, "${option}=${value}"`);
    yield otherFix(request, say`Insert '${option}=${value}'`, edit);
}

/** RL6011: a rule that copies the facts is the output. */
export function* addCopyRule(request: FixRequest): Iterable<Fix> {
    const { document, marked, problem, clause } = request;
    const name = marked.replace(/^"|"$/gu, '');
    const arity = document.analysed.predicatesNamed(name)[0]?.arity;
    if (arity === undefined || arity === 0) return;
    const copy = freshName(request, `${name}_out`);
    const terms = Array.from({ length: arity }, (_, i) => (arity <= 3 ? 'XYZ'.charAt(i) : `X${i + 1}`)).join(', ');
    const start = clause.place.offset + problem.span.start;
    const end = clause.place.offset + problem.span.end;
    const rule = {
        start: clause.place.offset + clause.span.end,
        end: clause.place.offset + clause.span.end,
        text: `\n${copy}(${terms}) <- ${name}(${terms}).`,
    };
    yield { title: say`Make a copy '${copy}' the output`, edits: [{ start, end, text: `"${copy}"` }, rule], preferred: false };
}

/** RL1106: the predicate with one of the numbers of columns gets another name. */
export function* renameOneArity(request: FixRequest): Iterable<Fix> {
    const { document, marked } = request;
    const name = marked.replace(/^"|"$/gu, '');
    const arities = document.analysed.predicatesNamed(name).map(({ arity }) => arity);
    for (const arity of arities) {
        const renamed = freshName(request, `${name}_${arity}`);
        const edits = symbolsOf(document)
            .named(name)
            .flatMap(({ clause, mention }) => {
                if (mention.kind !== 'predicate' || mention.terms !== arity) return [];
                return [{ start: clause.place.offset + mention.span.start, end: clause.place.offset + mention.span.end, text: renamed }];
            });
        if (edits.length > 0) yield { title: say`Rename the one with ${arity} columns to '${renamed}'`, edits, preferred: false };
    }
}

/** RL2004: a positive atom like one of the rule binds the variable. */
export function* bindByAtom(request: FixRequest): Iterable<Fix> {
    const { clause, marked, tokens, problem } = request;
    if (clause.kind !== 'rule' || clause.body.kind !== 'items') return;
    const atoms = clause.body.items.flatMap(item => (item.kind === 'atom' && !item.negated ? [item.atom] : []));
    const item = itemAround(tokens, problem.span.start);
    const written = new Set(
        atoms.map(({ predicate, arguments: terms }) => `${predicate}(${[marked, ...terms.slice(1).map(() => '_')].join(', ')})`),
    );
    const heads = clause.head.kind === 'atoms' ? clause.head.atoms.map(({ predicate }) => predicate) : [];
    const known = new Set([...heads, ...clause.body.items.flatMap(part => (part.kind === 'atom' ? [part.atom.predicate] : []))]);
    const { analysed } = request.document;
    for (const { name } of written.size > 0 ? [] : analysed.predicateNames()) {
        const [predicate, ...others] = analysed.predicatesNamed(name);
        if (predicate === undefined || others.length > 0 || known.has(name) || predicate.arity === 0) continue;
        if (predicate.rules.length + predicate.facts.length > 0)
            written.add(`${name}(${[marked, ...Array.from({ length: predicate.arity - 1 }, () => '_')].join(', ')})`);
        if (written.size >= MOST_OFFERS) break;
    }
    for (const atom of written) yield otherFix(request, say`Bind '${marked}' with '${atom}'`, insertion(item.start, `${atom}, `));
}

const MOST_OFFERS = 5;

/** RL1111: the predicate is an output, or the rule goes. */
export function* showPredicate({ document, clause }: FixRequest): Iterable<Fix> {
    const head = firstHead(clause);
    if (head === undefined) return;
    const edits = [annotationAddition(document, 'output', `@output("${head.name}").`)];
    yield { title: say`Add '@output("${head.name}")'`, edits, preferred: false };
}
