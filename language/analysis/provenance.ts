import type { Bind, ProvenanceTarget } from '#language/program/analysed-program.ts';
import type { Annotation } from '#language/program/program.ts';
import { textOf } from './annotation-arguments.ts';
import type { PlacedAnnotation } from './program-facts.ts';
import { readSourceText } from './source-text.ts';

/** The target that an annotation names; undefined for other annotations. */
export function provenanceTarget(placed: PlacedAnnotation): ProvenanceTarget | undefined {
    const { annotation, place } = placed;
    const text = provenanceText(annotation);
    const kind = provenanceKind(placed);
    if (kind === undefined || text === undefined) return undefined;
    const at = sourceArgument(annotation);
    const source = readSourceText(text);
    const options = new Map(source.options.map(option => [option.key.text, option.value.text]));
    const predicates = options.get('predicates');
    const bind: Bind = {
        annotation,
        place,
        kind: 'bind',
        predicate: `@${kind}`,
        direction: 'output',
        type: source.type.text.toLowerCase(),
        options,
        outer: textOf(annotation.arguments[at + 1]) ?? '',
        inner: textOf(annotation.arguments[at + 2]) ?? '',
    };
    return {
        kind,
        bind,
        ...(predicates === undefined ? {} : { predicates: namesIn(predicates) }),
        recorded: options.get('chase')?.toLowerCase() === 'false',
        asGraph: options.get('forNeo4jBulkImport')?.toLowerCase() === 'true',
    };
}

export function provenanceKind({ annotation: { name } }: Pick<PlacedAnnotation, 'annotation'>): ProvenanceTarget['kind'] | undefined {
    return name === 'chase' || name === 'explain' ? name : undefined;
}

/** The argument with type and options: the second after a predicate, which `@chase` has in its older form only. */
export function sourceArgument({ name, arguments: given }: Annotation): 0 | 1 {
    return name === 'explain' || (name === 'chase' && given.length < 4) ? 0 : 1;
}

/** Returns the argument with type and options as written; undefined if it is not a string. */
export function provenanceText(annotation: Annotation): string | undefined {
    return textOf(annotation.arguments[sourceArgument(annotation)]);
}

/** The names in `predicates='p,q'`. */
export function namesIn(text: string): string[] {
    return text
        .split(',')
        .map(name => name.trim())
        .filter(name => name !== '');
}
