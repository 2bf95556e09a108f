import type { PlacedAnnotation } from '#language/analysis/program-facts.ts';
import { ANNOTATIONS, type AnnotationEntry, type ParameterName } from '#language/library/annotation-catalogue.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Annotation, AnnotationArgument } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, suggesting, withRemedy } from '../catalogue.ts';

/** Checks the form of an annotation: RL6001, RL6002, RL6003, RL6004, RL6005; and RL9022 for one without effect. */
export function* checkAnnotationShape({ annotation, place, clause }: PlacedAnnotation): Iterable<Problem> {
    const { name, nameSpan } = annotation;
    const entry = ANNOTATIONS.get(name);
    if (entry === undefined) {
        const nearest = nearestName(name, ANNOTATIONS.keys());
        const found = problem('RL6001', place, nameSpan, name);
        yield nearest === undefined ? found : suggesting(found, { kind: 'meant', name: nearest }, say`did you mean '@${nearest}'?`);
        return;
    }
    if (entry.unsupported) {
        yield problem('RL6002', place, nameSpan, name);
        return;
    }
    const beforeClause = clause.kind === 'fact' || clause.kind === 'rule';
    if (beforeClause && annotation.sameLine !== true) yield problem('RL6003', place, nameSpan, name);
    if (name === 'executionMode') yield problem('RL9022', place, nameSpan, `@${name}`);
    const given = annotation.arguments.length;
    const least = entry.parameters.filter(parameter => !parameter.optional).length;
    if (given < least || (given > entry.parameters.length && !entry.open)) {
        const found = problem('RL6004', place, nameSpan, name, countInWords(least, entry.parameters.length));
        const written = fileBind(annotation) ?? oneByOne(annotation, entry);
        yield written === undefined
            ? withRemedy(found, signature(entry))
            : suggesting(found, { kind: 'write', text: written }, say`write ${written}`);
    }
    for (const [index, parameter] of entry.parameters.entries()) {
        const argument = annotation.arguments[index];
        if (argument === undefined || fits(argument, parameter.name)) continue;
        const found = problem('RL6005', place, argument.span, index + 1, name, EXPECTED.get(parameter.name)?.() ?? say`a string`);
        const each = argument.kind === 'list' ? oneByOne({ ...annotation, arguments: argument.items }, entry) : undefined;
        const written = argument.kind === 'name' ? `"${argument.name}"` : undefined;
        if (each !== undefined) yield suggesting({ ...found, span: annotation.span }, { kind: 'write', text: each }, say`write ${each}`);
        else yield written === undefined ? found : suggesting(found, { kind: 'write', text: written }, say`write ${written}`);
    }
}

/** Several predicates where the annotation takes one. */
function oneByOne({ name, arguments: given }: Annotation, { parameters }: AnnotationEntry): string | undefined {
    if (parameters.length !== 1 || parameters[0]?.name !== 'predicate' || given.length < 2) return undefined;
    const predicates = given.flatMap(argument =>
        argument.kind === 'string' && dataSourceNamed(argument.value) === undefined ? [`@${name}("${argument.value}")`] : [],
    );
    return predicates.length === given.length ? predicates.join('. ') : undefined;
}

const EXPECTED: ReadonlyMap<ParameterName, () => string> = new Map<ParameterName, () => string>([
    ['value', () => say`a constant`],
    ['position', () => say`a whole number`],
    ['count', () => say`a whole number`],
]);

function fits(argument: AnnotationArgument, parameter: ParameterName): boolean {
    switch (parameter) {
        case 'position':
        case 'count':
            return argument.kind === 'integer';
        case 'value':
            return isValue(argument);
        default:
            return argument.kind === 'string';
    }
}

function isValue(argument: AnnotationArgument): boolean {
    switch (argument.kind) {
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
        case 'list':
        case 'set':
        case 'unary':
        case 'parameter':
            return true;
        case 'name':
        case 'variable':
        case 'anonymous':
        case 'binary':
        case 'call':
        case 'aggregate':
        case 'skolem':
            return false;
    }
}

function countInWords(least: number, most: number): string {
    if (most === 0) return 'no';
    if (least === most) return `${least}`;
    return most === least + 1 ? say`${least} or ${most}` : say`${least} to ${most}`;
}

/** The bind that is meant where a path holds folder and file, where options stand alone, or where an input or output names a file. */
function fileBind({ name, arguments: args }: Annotation): string | undefined {
    const texts = args.flatMap(argument => (argument.kind === 'string' ? [argument.value] : []));
    if (!FILE_ANNOTATIONS.has(name) || texts.length !== args.length || texts.length < 2) return undefined;
    const isBind = name === 'bind' || name === 'qbind';
    const [predicate = '', source = ''] = texts;
    const options = isBind && texts.length === 5 && /^\w+=/u.test(texts[2] ?? '') ? ` ${texts[2]}` : '';
    if (options !== '') return `@${name}("${predicate}", "${source}${options}", "${texts[3]}", "${texts[4]}")`;
    const [, folder = '', file, ending = ''] = /^(?:(.*)[/\\])?([^/\\]+\.(csv|json|parquet|xlsx))$/u.exec(texts.at(-1) ?? '') ?? [];
    if (file === undefined || texts.length > (isBind ? 3 : 2)) return undefined;
    const type = texts.length === 2 ? (SOURCE_OF_ENDING[ending] ?? ending) : source;
    const bind = `@${isBind ? name : 'bind'}("${predicate}", "${type}", "${folder}", "${file}")`;
    return `${name === 'output' ? `@output("${predicate}"). ` : ''}${bind}`;
}

/** Source types of file endings, if they differ from the ending. */
const SOURCE_OF_ENDING: Readonly<Record<string, string>> = { csv: 'csv useHeaders=true', xlsx: 'excel useHeaders=true' };

const FILE_ANNOTATIONS: ReadonlySet<string> = new Set(['bind', 'qbind', 'input', 'output']);

function signature({ name, parameters }: AnnotationEntry): string {
    const written = parameters.map(parameter => `${parameter.name}${parameter.optional ? '?' : ''}`);
    return parameters.length === 0 ? say`write @${name}` : say`write @${name}(${written.join(', ')})`;
}
