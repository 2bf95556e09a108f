import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import { RuleDocument } from '#language/document/rule-document.ts';
import type { Completion } from '#language/editing/completion.ts';
import { completionContext } from '#language/editing/completion-context.ts';
import { completions } from '#language/editing/completions.ts';
import { definition } from '#language/editing/definition.ts';
import { formatEdits } from '#language/editing/format-edits.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { nodeAt } from '#language/editing/node-at.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { renameEdits, renameTarget } from '#language/editing/rename-edits.ts';
import { semanticTokens } from '#language/editing/semantic-tokens.ts';
import { signatureHelp } from '#language/editing/signature-help.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import type { SqlReader } from '#language/program/sql-reading.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { isDefinition } from '#language/symbols/symbol-roles.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { isPredicateName } from '#language/tools/build-bind.ts';
import { conceptDefinition } from '#language/tools/concept-definition.ts';
import { renamePredicate } from '#language/tools/rename-predicate.ts';
import { suppliedSchemas } from '#language/tools/supplied-relations.ts';
import type {
    LanguageAnswers,
    SuppliedRelation,
    ToldCompletion,
    ToldCompletions,
    ToldDefinition,
    ToldProblem,
    ToldRenaming,
    ToldSignature,
} from './messages.ts';

/** Completions that are told at most. */
const MOST = 200;
/** Problems that are told at most; others follow when these are gone. */
const MOST_PROBLEMS = 1000;
const CONCEPT = 'concept:';
/** What is typed begins something to complete, besides letters. */
const TRIGGERS: ReadonlySet<string> = new Set(['@', '#', '"', '/', '$', '{', '?', ':', ',', '=', '(', ' ']);

/** What lies around a program: what it includes and what its sources show. */
export interface Surroundings {
    /** What is known of them by now. */
    known(): AnalysisOptions;
    /** Brings the document up to date with them; `again` has it analysed with what is known then. */
    settle(rules: RuleDocument, again: () => OpenDocument): Promise<OpenDocument>;
}

export interface LanguageService extends LanguageAnswers {
    /** The text, and what it means. */
    current(): Promise<OpenDocument>;
    /** What lies around the text may be known otherwise now. */
    again(): void;
}

/** Answers about one text that is being edited: a program, or the body of a concept, to which others of its project supply relations. */
export function languageService(around?: Surroundings): LanguageService {
    let relations: readonly SuppliedRelation[] = [];
    let sql: SqlReader | undefined;
    let rules = RuleDocument.open('', CONCEPT, {});
    const known = (): AnalysisOptions => ({
        ...(around === undefined ? { schemas: suppliedSchemas(relations), concept: true } : around.known()),
        ...(sql && { sql }),
    });
    const again = (): OpenDocument => rules.analyseWith(known());
    const current = async (): Promise<OpenDocument> => {
        if (rules.current.analysed.hasSql && sql === undefined) {
            // The parser is large, and few programs need it.
            sql = (await import('#language/sql/read-query.ts')).readQuery;
            again();
        }
        return around === undefined ? rules.current : around.settle(rules, again);
    };
    return {
        current,
        again,
        open: given => {
            relations = given.relations;
            rules = RuleDocument.open(given.text, given.file ?? CONCEPT, known());
            return null;
        },
        supply: given => {
            relations = given;
            rules.analyseWith(known());
            return null;
        },
        change: changes => {
            rules.edit(changes);
            return null;
        },
        problems: async () => problemsOf(await current()),
        tokens: async range => semanticTokens(await current(), range),
        complete: async ({ offset, typed }) => completionsAt(await current(), offset, typed),
        hover: async offset => {
            const card = hoverCard(await current(), offset);
            return card === undefined ? null : { ...card.range, markdown: card.markdown };
        },
        signature: async offset => signatureAt(await current(), offset),
        format: async () => formatEdits((await current()).text),
        define: async offset => definitionAt(await current(), offset, relations),
        rename: async ({ offset, to }) => renamingAt(await current(), offset, to),
        renamed: ({ text, from, to }) => {
            const own = conceptDefinition(text);
            const isTaken = own.ok && own.value.heads.includes(to);
            return isPredicateName(to) && !isTaken ? renamePredicate(text, from, to) : null;
        },
    };
}

function problemsOf(document: OpenDocument): ToldProblem[] {
    const problems = reportedProblems({ ...document, clauses: document.analysed.program.clauses });
    return problems.slice(0, MOST_PROBLEMS).map(problem => ({
        ...rangeOf(problem),
        severity: problem.severity,
        code: problem.code,
        message: problem.remedy === undefined ? problem.message : `${problem.message}; ${problem.remedy}`,
        fixes: quickFixes(document, problem).map(({ title, edits }) => ({ title, edits })),
    }));
}

function completionsAt(document: OpenDocument, offset: number, typed: string | undefined): ToldCompletions | null {
    if (typed !== undefined && !/\w/u.test(typed) && !TRIGGERS.has(typed)) return null;
    if (typed === ' ' && !isInSourceText(document, offset)) return null;
    const found = completions(document, offset, { limit: MOST });
    return found === undefined ? null : { ...found.range, items: found.items.map(told), incomplete: found.incomplete };
}

/** A blank is typed everywhere; only behind the type of a source does it begin something. */
function isInSourceText(document: OpenDocument, offset: number): boolean {
    const place = completionContext(document, offset)?.place;
    return place?.kind === 'text' && ANNOTATIONS.get(place.annotation)?.parameters[place.index]?.name === 'source';
}

function told({ label, kind, insert, detail, documentation, deprecated, continues }: Completion): ToldCompletion {
    return {
        label,
        kind,
        ...insert,
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation }),
        ...(deprecated && { deprecated }),
        ...(continues && { continues }),
    };
}

function signatureAt(document: OpenDocument, offset: number): ToldSignature | null {
    const help = signatureHelp(document, offset);
    if (help === undefined) return null;
    const { label, parameters } = help.signature;
    const argument = parameters[help.argument];
    return { label, ...(argument && { argument }) };
}

function definitionAt(document: OpenDocument, offset: number, relations: readonly SuppliedRelation[]): ToldDefinition {
    const [target] = definition(workspaceOf(document), document, offset)?.targets ?? [];
    const mention = nodeAt(document, offset)?.mention;
    // A declaration stands for what the other concept has.
    const supplied = mention?.kind === 'predicate' && relations.find(({ name }) => name === mention.name);
    if (supplied && !isDefined(document, supplied.name)) return { kind: 'concept', name: supplied.name };
    return target === undefined ? { kind: 'none' } : { kind: 'here', ...target.range };
}

/** The text has a fact or a rule of its own for it. */
function isDefined(document: OpenDocument, name: string): boolean {
    return symbolsOf(document)
        .named(name)
        .some(({ mention }) => mention.kind === 'predicate' && isDefinition(mention));
}

function renamingAt(document: OpenDocument, offset: number, to: string | undefined): ToldRenaming {
    const target = renameTarget(document, offset);
    if (target.kind === 'refused') return target;
    if (to === undefined) return { kind: 'name', name: target.name };
    const renaming = renameEdits(workspaceOf(document), document, offset, to);
    return renaming.kind === 'refused' ? renaming : { kind: 'edits', edits: renaming.edits.get(document.file) ?? [] };
}
