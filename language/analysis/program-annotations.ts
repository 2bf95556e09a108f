import type { Parameter } from '#language/program/analysed-program.ts';
import type { Inclusion } from '#language/program/inclusion.ts';
import type { Program } from '#language/program/program.ts';
import { namedAnnotations } from './annotation-arguments.ts';
import type { ClauseState } from './clause-state.ts';
import type { Declarations } from './declarations.ts';
import { declarationsByName, type NameDeclarations, readDeclarations, sameForRules } from './declarations.ts';
import { documentedNames } from './documented-names.ts';
import type { NameIndex } from './name-index.ts';
import type { Exchange } from './program-clauses.ts';
import type { AnalysisOptions, ParameterUse, PlacedAnnotation } from './program-facts.ts';

/** Changes of an edit to the declarations of annotations. */
export interface DeclarationChange {
    /** Annotations are others than before. */
    readonly isChanged: boolean;
    /** Every rule is to be read again: it may mean something else. */
    readonly rules: boolean;
    /** Every value is to be typed again. */
    readonly types: boolean;
    /** Outputs came to be, or ceased. */
    readonly outputs: boolean;
}

/** Declarations of the annotations of a changing program. */
export class ProgramAnnotations {
    readonly #options: AnalysisOptions;
    readonly #names: NameIndex;
    #inclusion: Inclusion | undefined;
    #declarations: Declarations;
    #declared: ReadonlyMap<string, NameDeclarations> = new Map();
    #parameterUses: readonly ParameterUse[] = [];
    #isFirst = true;
    /** The outputs that have binds, each with whether anything defined it when that was looked at. */
    #bound: ReadonlyMap<string, boolean> = new Map();
    readonly #isDefined = (name: string): boolean => (this.#names.entry(name)?.definitions.size ?? 0) > 0;

    constructor(options: AnalysisOptions, names: NameIndex) {
        this.#options = options;
        this.#names = names;
        this.#declarations = readDeclarations([], options, NO_PROGRAM, this.#isDefined);
    }

    get declarations(): Declarations {
        return this.#declarations;
    }

    get parameterUses(): readonly ParameterUse[] {
        return this.#parameterUses;
    }

    /**
     * Reads the annotations anew where some came or went, or where the direction of a bind changed, and tells names what is declared
     * of them.
     */
    read({ removed, added }: Exchange, states: readonly ClauseState[], program: Program): DeclarationChange {
        const before = this.#declarations;
        const relinked = this.#inclusion !== program.inclusion;
        this.#inclusion = program.inclusion;
        const touches = (has: (state: ClauseState) => boolean): boolean => removed.some(has) || added.some(has);
        const isOther = relinked || before.file !== program.file || this.#isTurned();
        if (isOther || touches(({ summary }) => summary.annotations.length > 0)) {
            const annotations = states.flatMap(({ summary }) => summary.annotations);
            this.#declarations = readDeclarations(annotations, this.#options, program, this.#isDefined);
            this.#bound = this.#boundOutputs(annotations);
            const declared = declarationsByName(this.#declarations);
            this.#names.declare(declared, this.#declared.keys());
            this.#declared = declared;
        }
        if (touches(({ summary }) => summary.deprecated !== undefined)) {
            const successors = states.flatMap(({ clause, summary: { deprecated } }) =>
                deprecated === undefined ? [] : documentedNames(clause).map(name => [name, deprecated] as const),
            );
            this.#names.deprecate(new Map(successors));
        }
        if (touches(({ summary }) => summary.parameterUses.length > 0)) {
            this.#parameterUses = states.flatMap(({ summary }) => summary.parameterUses);
        }
        return this.#changeFrom(before);
    }

    #boundOutputs(annotations: readonly PlacedAnnotation[]): ReadonlyMap<string, boolean> {
        const outputs = new Set(namedAnnotations(annotations, 'output').map(({ predicate }) => predicate));
        const bound = this.#declarations.binds.filter(({ predicate }) => outputs.has(predicate));
        return new Map(bound.map(({ predicate }) => [predicate, this.#isDefined(predicate)]));
    }

    /** An output that has binds came to be defined, or is no longer. */
    #isTurned(): boolean {
        return [...this.#bound].some(([name, wasDefined]) => this.#isDefined(name) !== wasDefined);
    }

    #changeFrom(before: Declarations): DeclarationChange {
        const now = this.#declarations;
        const prompted = this.#parameterUses.some(({ lenient }) => lenient) && !sameNames(before.parameters, now.parameters);
        const rules = this.#isFirst || prompted || !sameForRules(before, now);
        this.#isFirst = false;
        return {
            isChanged: before !== now,
            rules,
            types: rules || !sameValues(before.parameters, now.parameters),
            outputs: before.outputs.length > 0 !== now.outputs.length > 0,
        };
    }
}

const NO_PROGRAM: Program = { file: '', clauses: [] };

/** Compares parameter names, since the names in prompts mean different things with different parameters. */
function sameNames(a: ReadonlyMap<string, Parameter>, b: ReadonlyMap<string, Parameter>): boolean {
    return a.size === b.size && [...a.keys()].every(name => b.has(name));
}

/** Parameters with the same default values have the same types. */
function sameValues(a: ReadonlyMap<string, Parameter>, b: ReadonlyMap<string, Parameter>): boolean {
    return a.size === b.size && [...a].every(([name, { value }]) => b.get(name)?.value === value);
}
