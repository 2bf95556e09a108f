import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { isConnected } from '#language/library/connected-sources.ts';
import { argumentsOfSource, dataSourceNamed, notConnected, optionKindText } from '#language/library/data-sources.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { exampleText, functionExample } from '#language/library/function-examples.ts';
import { relationFunctionNamed } from '#language/library/relation-functions.ts';
import { AGGREGATES, isAggregateName } from '#language/program/aggregates.ts';
import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { printExpression } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { say, translated } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { type SqlPart, sourceNamed, sourcesOf } from '#language/sql/sql-outline.ts';
import { clauseText, mentionsOfClause } from '#language/symbols/document-symbols.ts';
import type { MentionOf } from '#language/symbols/mention.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TablesOf } from './completion-options.ts';
import { directiveDocumentation } from './directive-documentation.ts';
import { expectationDocumentation } from './expectation-documentation.ts';
import { codeBlock, escapedText, inlineCode } from './markdown.ts';
import { type NodeAt, nodeAt } from './node-at.ts';
import { predicateCard } from './predicate-card.ts';
import { predicateMeant } from './predicates-named.ts';
import { aggregateSignature, annotationSignature, functionSignature, relationSignature } from './signatures.ts';
import { sourceHover } from './source-hover.ts';
import { columnsInQueries, columnsNamed, columnsOf, innerColumns, predicateColumns, type SqlColumn } from './sql-columns.ts';
import { ruleWardNote, variableWardNote } from './ward-note.ts';

/** An editor's card about the thing under the pointer; all text of users in the Markdown is escaped. */
export interface HoverCard {
    readonly markdown: string;
    readonly range: TextRange;
    /** The predicate that it is about. */
    readonly predicate?: PredicateKey;
}

export function hoverCard(document: OpenDocument, offset: number, tablesOf?: TablesOf): HoverCard | undefined {
    const source = tablesOf && sourceHover(document, offset, tablesOf);
    if (source !== undefined) return source;
    const node = columnAt(document, offset) ?? nodeAt(document, offset);
    if (node === undefined) return arrowCard(document, offset);
    const markdown = cardOf(document, node);
    if (markdown === undefined) return undefined;
    const { mention, range } = node;
    const predicate = mention.kind === 'predicate' ? predicateMeant(document.analysed, mention.name, mention.terms) : undefined;
    return { markdown, range, ...(predicate !== undefined && { predicate: predicate.key }) };
}

/** A column of a query, whatever its name begins with. */
function columnAt(document: OpenDocument, offset: number): NodeAt | undefined {
    const clause = document.clauseAt(offset);
    if (clause?.kind !== 'rule' || sqlOf(clause) === undefined) return undefined;
    const at = offset - clause.place.offset;
    const mention = mentionsOfClause(document, clause).find(({ kind, span }) => kind === 'sql' && span.start <= at && at < span.end);
    if (mention?.kind !== 'sql' || mention.part.kind !== 'column') return undefined;
    return { mention, clause, range: { start: clause.place.offset + mention.span.start, end: clause.place.offset + mention.span.end } };
}

/** A column or an alias of a query. */
function sqlCard({ analysed }: OpenDocument, clause: Clause, { name, kind, source, scope, qualifier }: SqlPart): string | undefined {
    const inner = clause.kind === 'rule' ? innerColumns(analysed, clause) : () => undefined;
    if (kind === 'alias' && source !== undefined) {
        const text =
            source.table === undefined ? say`What \`${name}\` stands for is a query.` : say`\`${name}\` stands for \`${source.table}\`.`;
        const columns = inner(source) ?? columnsOf(predicateColumns(analysed), source);
        return columns.length === 0 ? text : `${text}\n\n${columnsText(columns)}`;
    }
    if (kind !== 'column') return undefined;
    const of = qualifier === undefined ? undefined : sourceNamed(scope, qualifier);
    const sources = qualifier === undefined ? sourcesOf(scope) : of === undefined ? [] : [of];
    const found = sources.flatMap(one => {
        const known = inner(one)?.filter(column => column.name.toLowerCase() === name.toLowerCase());
        return known ?? columnsNamed(predicateColumns(analysed), [one], name);
    });
    return found.length === 0
        ? undefined
        : found
              .map(column => `${codeBlock(`${column.name}: ${printType(column.type)}`)}\n\n${say`Column of ${inlineCode(column.of)}`}`)
              .join('\n\n');
}

function columnsText(columns: readonly SqlColumn[]): string {
    return say`Columns in queries: ${columns.map(({ name, type }) => inlineCode(`${name}: ${printType(type)}`)).join(', ')}`;
}

/** The arrow of a rule tells what unknown values do in it. */
function arrowCard(document: OpenDocument, offset: number): HoverCard | undefined {
    const clause = document.clauseAt(offset);
    const rule = clause?.kind === 'rule' ? ruleOf(document.analysed.rules, clause) : undefined;
    const note = clause && rule && ruleWardNote(document, clause, rule);
    if (clause === undefined || note === undefined) return undefined;
    const arrow = tokenize(clauseText(document, clause)).find(({ kind }) => kind === 'arrow');
    const start = clause.place.offset + (arrow?.start ?? 0);
    const end = clause.place.offset + (arrow?.end ?? 0);
    return start <= offset && offset <= end ? { markdown: note, range: { start, end } } : undefined;
}

function cardOf(document: OpenDocument, node: NodeAt): string | undefined {
    const { mention } = node;
    switch (mention.kind) {
        case 'predicate': {
            const predicate = predicateMeant(document.analysed, mention.name, mention.terms);
            const rule = mention.role === 'head' ? ruleOf(document.analysed.rules, node.clause) : undefined;
            const note = rule && ruleWardNote(document, node.clause, rule);
            const columns = predicate && mention.role === 'query' ? [columnsText(columnsInQueries(predicate, mention.name))] : [];
            return predicate && [predicateCard(document, predicate), ...columns, ...(note === undefined ? [] : [note])].join('\n\n');
        }
        case 'call':
            return functionCard(document, mention.name);
        case 'aggregate':
            return aggregateCard(mention.name);
        case 'annotation':
            return annotationCard(mention.name);
        case 'variable':
            return variableCard(document, node, mention);
        case 'anonymous':
            return `${codeBlock(mention.name)}\n\n${say`An anonymous variable: matches anything and never joins.`}`;
        case 'parameter':
            return parameterCard(document, mention.name);
        case 'skolem':
            return `${codeBlock(`#${mention.name}(…)`)}\n\n${say`A new unknown value, the same for the same arguments.`}`;
        case 'relation-function':
            return relationFunctionCard(mention.name);
        case 'source-type':
            return [sourceCard(mention.name), writingNote(document, node)].filter(text => text !== undefined).join('\n\n') || undefined;
        case 'option':
            return optionCard(mention.sourceType, mention.name);
        case 'option-value':
            return optionCard(mention.sourceType, mention.option);
        case 'directive':
            return directiveDocumentation(mention.name);
        case 'expectation':
            return expectationDocumentation(mention.name);
        case 'file':
            return inlineCode(mention.path);
        case 'sql':
            return sqlCard(document, node.clause, mention.part);
        case 'type':
        case 'field':
        case 'library':
        case 'query':
        case 'literal':
            return undefined;
    }
}

function functionCard(document: OpenDocument, name: string): string | undefined {
    const entry = functionNamed(name, document.analysed.libraryPrefixes);
    if (entry === undefined) return undefined;
    const notes = entry.provider ? [say`Needs a provider of the host.`] : [];
    const example = functionExample(entry.name);
    const examples = example === undefined ? [] : [inlineCode(exampleText(example))];
    return [codeBlock(functionSignature(entry, name).label), translated(entry.documentation), ...notes, ...examples].join('\n\n');
}

function relationFunctionCard(name: string): string | undefined {
    const entry = relationFunctionNamed(name);
    return entry && `${codeBlock(relationSignature(name, entry.columns).label)}\n\n${translated(entry.documentation)}`;
}

function aggregateCard(name: string): string | undefined {
    if (!isAggregateName(name)) return undefined;
    const entry = AGGREGATES[name];
    const recursive = entry.direction === undefined ? say`Not allowed in recursion.` : say`Allowed in recursion.`;
    return [codeBlock(aggregateSignature(entry).label), translated(entry.documentation), recursive].join('\n\n');
}

function annotationCard(name: string): string | undefined {
    const entry = ANNOTATIONS.get(name);
    return entry && `${codeBlock(annotationSignature(entry).label)}\n\n${translated(entry.documentation)}`;
}

function variableCard(document: OpenDocument, { clause }: NodeAt, { name }: MentionOf<'variable'>): string {
    const rule = ruleOf(document.analysed.rules, clause);
    const type = rule?.types.get(name);
    const text = codeBlock(type === undefined ? name : `${name}: ${printType(type)}`);
    if (rule === undefined) return text;
    if (rule.existential.includes(name)) return `${text}\n\n${say`An existential variable: a new unknown value.`}`;
    const assignment = rule.assignments.find(({ variable }) => variable.name === name);
    const value = assignment && say`Assigned: ${inlineCode(printExpression(assignment.value))}`;
    return [text, value, variableWardNote(document, clause, rule, name)].filter(part => part !== undefined).join('\n\n');
}

/** The analysis of a clause. */
function ruleOf(rules: readonly AnalysedRule[], clause: NodeAt['clause']): AnalysedRule | undefined {
    return rules.find(({ rule }) => rule === clause);
}

function parameterCard({ analysed }: OpenDocument, name: string): string | undefined {
    const parameter = analysed.parameters.get(name);
    if (parameter === undefined) return undefined;
    const value = parameter.value === undefined ? say`Not declared here.` : say`Default ${inlineCode(printExpression(parameter.value))}`;
    return `${codeBlock(`?${name}`)}\n\n${value}`;
}

function sourceCard(type: string): string | undefined {
    const source = dataSourceNamed(type);
    if (source === undefined) return undefined;
    const direction = { in: say`Read only.`, out: say`Write only.`, both: say`Read and written.` }[source.direction];
    const note = isConnected(source.type) ? direction : notConnected();
    return `${inlineCode(source.type)} ${note}\n\n${argumentsOfSource(source)}`;
}

/** Says what a run does to the target of an output bind (9.5). */
function writingNote({ analysed }: OpenDocument, { clause }: NodeAt): string | undefined {
    const bind = analysed.binds.find(({ annotation }) => clause.annotations.includes(annotation));
    if (bind?.direction !== 'output') return undefined;
    const mode = bind.options.get('saveMode')?.toLowerCase() ?? dataSourceNamed(bind.type)?.saveMode.toLowerCase();
    switch (mode) {
        case 'overwrite':
            return say`Existing data will be replaced.`;
        case 'append':
            return say`Existing data will be kept, and rows added.`;
        case 'ignore':
            return say`Existing data will be kept, and nothing written.`;
        case 'errorifexists':
        case 'error':
            return say`Existing data will be kept: the run fails where there is some.`;
        default:
            return undefined;
    }
}

function optionCard(type: string, key: string): string | undefined {
    const option = dataSourceNamed(type)?.options.get(key);
    if (option === undefined) return undefined;
    const facts = [optionKindText(option.value), ...(option.required ? [say`required`] : []), ...(option.secret ? [say`secret`] : [])];
    const standard = option.default === undefined ? '' : `\n\n${say`Default ${inlineCode(option.default)}`}`;
    return `${inlineCode(key)} ${escapedText(facts.join(', '))}${standard}`;
}
