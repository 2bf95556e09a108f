import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { Parameter, ProvenanceTarget } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { includeTarget } from '#language/program/inclusion.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { namedAnnotations, textOf } from './annotation-arguments.ts';
import { readBinds, writtenPredicates } from './binds.ts';
import { readMappings } from './mappings.ts';
import { readModels } from './models.ts';
import { declaredParameters, withParameterTexts } from './parameters.ts';
import { readPostText } from './post-text.ts';
import type {
    AnalysisOptions,
    BindFacts,
    MappingFacts,
    Meanings,
    ModelFacts,
    NamedAnnotation,
    NameFacts,
    ParameterUse,
    PlacedAnnotation,
    PostFacts,
} from './program-facts.ts';
import { provenanceTarget } from './provenance.ts';

/** Declarations from the annotations of a program, in text order. */
export interface Declarations {
    /** The file of the program itself; other places are those of its modules. */
    readonly file: string;
    readonly annotations: readonly PlacedAnnotation[];
    readonly outputs: readonly NamedAnnotation[];
    readonly inputs: readonly NamedAnnotation[];
    readonly posts: readonly PostFacts[];
    readonly binds: readonly BindFacts[];
    readonly provenance: readonly ProvenanceTarget[];
    readonly mappings: readonly MappingFacts[];
    readonly models: readonly ModelFacts[];
    /** Declared parameters; the first declaration of a name counts. */
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly prefixes: LibraryPrefixes;
    /** Names that `@implement` declares. */
    readonly implemented: ReadonlySet<string>;
    /** `@relaxedSafety` is written. */
    readonly relaxedSafety: boolean;
    /** Other files may define more: `@module`, an `@include` that finds nothing. */
    readonly openFile: boolean;
    /** Other files or the callers of a concept may define or supply more. */
    readonly openWorld: boolean;
    /** The predicates whose binds are written. */
    readonly written: ReadonlySet<string>;
}

/** The input of the checks of declarations. */
export interface ProgramFacts extends Declarations {
    readonly options: AnalysisOptions;
    readonly parameterUses: readonly ParameterUse[];
    /** Clauses of the file itself, in text order. */
    readonly clauses: readonly Clause[];
    /** One of them has a syntax error. */
    readonly hasBrokenClause: boolean;
    readonly nameFacts: (name: string) => NameFacts | undefined;
    readonly meaningOf: Meanings;
}

/**
 * Reads the annotations of a program and of its modules. Outputs of modules are not outputs of the program. `isDefined` says whether the
 * program has a rule or a fact of a name.
 */
export function readDeclarations(
    annotations: readonly PlacedAnnotation[],
    options: AnalysisOptions,
    program: Program,
    isDefined: (predicate: string) => boolean,
): Declarations {
    const isOwn = ({ place }: PlacedAnnotation): boolean => place.file === program.file;
    const outputs = namedAnnotations(annotations, 'output');
    const parameters = declaredParameters(annotations);
    const isOpen = annotations.some(placed => isUnknownInclude(placed, program));
    const openFile = isOpen || annotations.some(placed => isModule(placed, program));
    const written = writtenPredicates(
        outputs.map(({ predicate }) => predicate),
        name => isOpen || isDefined(name),
    );
    return {
        file: program.file,
        annotations,
        outputs: outputs.filter(isOwn),
        inputs: namedAnnotations(annotations, 'input'),
        posts: postDirectives(annotations, parameters, options),
        binds: readBinds(annotations, written, text => withParameterTexts(text, parameters, options.suppliedParameters)),
        provenance: annotations.flatMap(placed => provenanceTarget(placed) ?? []),
        mappings: readMappings(annotations),
        models: readModels(annotations),
        parameters,
        prefixes: libraryPrefixes(annotations),
        implemented: implementedNames(annotations),
        relaxedSafety: annotations.some(({ annotation }) => annotation.name === 'relaxedSafety'),
        openFile,
        openWorld: options.concept === true || openFile,
        written,
    };
}

/** A module: files unknown to this analysis may include the program, and so define or supply more. */
function isModule({ annotation, place }: PlacedAnnotation, program: Program): boolean {
    return annotation.name === 'module' && place.file === program.file;
}

/** An `@include` without a known module: it may define any predicate. */
export function isUnknownInclude({ annotation, place }: PlacedAnnotation, program: Program): boolean {
    if (annotation.name !== 'include') return false;
    const name = textOf(annotation.arguments[0]);
    return name === undefined || includeTarget(program, name, place.file)?.kind !== 'module';
}

function postDirectives(
    annotations: readonly PlacedAnnotation[],
    parameters: ReadonlyMap<string, Parameter>,
    { suppliedParameters }: AnalysisOptions,
): PostFacts[] {
    return namedAnnotations(annotations, 'post').flatMap(named => {
        const directive = textOf(named.annotation.arguments[1]);
        if (directive === undefined) return [];
        const substituted = withParameterTexts(directive, parameters, suppliedParameters);
        return [{ ...named, text: readPostText(substituted), substituted: substituted !== directive }];
    });
}

function libraryPrefixes(annotations: readonly PlacedAnnotation[]): Map<string, string> {
    const prefixes = new Map<string, string>();
    for (const { annotation } of annotations) {
        const prefix = annotation.name === 'library' ? textOf(annotation.arguments[0]) : undefined;
        const library = textOf(annotation.arguments[1]);
        if (prefix !== undefined && library !== undefined) prefixes.set(prefix.replace(/:$/u, ''), library);
    }
    return prefixes;
}

function implementedNames(annotations: readonly PlacedAnnotation[]): Set<string> {
    const named = annotations.filter(({ annotation }) => annotation.name === 'implement');
    return new Set(named.flatMap(({ annotation }) => textOf(annotation.arguments[0]) ?? []));
}

/** True when rules that both declarations leave alone mean the same with either. */
export function sameForRules(a: Declarations, b: Declarations): boolean {
    return (
        a.file === b.file &&
        a.openWorld === b.openWorld &&
        a.relaxedSafety === b.relaxedSafety &&
        a.prefixes.size === b.prefixes.size &&
        [...a.prefixes].every(([prefix, library]) => b.prefixes.get(prefix) === library) &&
        a.implemented.size === b.implemented.size &&
        [...a.implemented].every(name => b.implemented.has(name))
    );
}

/** Declarations about one predicate name. */
export interface NameDeclarations {
    readonly model?: ModelFacts;
    readonly binds: readonly BindFacts[];
    readonly mappings: readonly MappingFacts[];
    readonly input?: NamedAnnotation;
    readonly output?: NamedAnnotation;
}

/** The declarations by the names of their predicates: models, binds, mappings, inputs, outputs, in this order of first mentions. */
export function declarationsByName({ models, binds, mappings, inputs, outputs }: Declarations): Map<string, NameDeclarations> {
    const modelOf = firstByName(models, facts => facts.model.predicate);
    const inputOf = firstByName(inputs, named => named.predicate);
    const outputOf = firstByName(outputs, named => named.predicate);
    const bindsOf = new Map<string, BindFacts[]>();
    for (const bind of binds) append(bindsOf, bind.predicate, bind);
    const mappingsOf = new Map<string, MappingFacts[]>();
    for (const mapping of mappings) append(mappingsOf, mapping.predicate, mapping);
    const byName = new Map<string, NameDeclarations>();
    for (const name of new Set([...modelOf.keys(), ...bindsOf.keys(), ...mappingsOf.keys(), ...inputOf.keys(), ...outputOf.keys()])) {
        const model = modelOf.get(name);
        const input = inputOf.get(name);
        const output = outputOf.get(name);
        byName.set(name, {
            binds: bindsOf.get(name) ?? [],
            mappings: mappingsOf.get(name) ?? [],
            ...(model !== undefined && { model }),
            ...(input !== undefined && { input }),
            ...(output !== undefined && { output }),
        });
    }
    return byName;
}

export const UNDECLARED: NameDeclarations = { binds: [], mappings: [] };

function firstByName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
    const first = new Map<string, T>();
    for (const item of items) if (!first.has(nameOf(item))) first.set(nameOf(item), item);
    return first;
}
