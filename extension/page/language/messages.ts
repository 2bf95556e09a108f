/** A change of the text, in offsets of the text that the change before it left. */
export interface Change {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** A relation that another concept of the project supplies. */
export interface SuppliedRelation {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type?: string | undefined }[];
}

export interface ToldProblem {
    readonly start: number;
    readonly end: number;
    readonly severity: 'error' | 'warning' | 'information' | 'hint';
    readonly code: string;
    readonly message: string;
    /** What one could do about it, the best one first. */
    readonly fixes: readonly ToldFix[];
}

export interface ToldFix {
    readonly title: string;
    readonly edits: readonly Change[];
}

/** What a piece of the text is, by the names of the semantic tokens of the language server. */
export interface ToldToken {
    readonly start: number;
    readonly length: number;
    readonly type: string;
    readonly modifiers: readonly string[];
}

export interface ToldCompletion {
    readonly label: string;
    readonly kind: string;
    readonly text: string;
    /** Parts of the text that are meant to be typed over, in order. */
    readonly placeholders: readonly { readonly start: number; readonly end: number }[];
    readonly detail?: string;
    /** Markdown. */
    readonly documentation?: string;
    readonly deprecated?: boolean;
    /** Choosing it is usually followed by another choice. */
    readonly continues?: boolean;
}

export interface ToldCompletions {
    readonly start: number;
    readonly end: number;
    readonly items: readonly ToldCompletion[];
    /** More letters may give others than those of these that have the letters. */
    readonly incomplete: boolean;
}

export interface ToldHover {
    readonly start: number;
    readonly end: number;
    readonly markdown: string;
}

export interface ToldSignature {
    readonly label: string;
    /** The argument that is being written, within the label. */
    readonly argument?: { readonly start: number; readonly end: number };
}

export type ToldDefinition =
    | { readonly kind: 'here'; readonly start: number; readonly end: number }
    | { readonly kind: 'concept'; readonly name: string }
    | { readonly kind: 'none' };

export type ToldRenaming =
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'edits'; readonly edits: readonly Change[] }
    | { readonly kind: 'refused'; readonly message: string };

/** What the page asks the worker about the text that it has opened there, and what that answers. Questions are answered in their order. */
export interface LanguageMethods {
    /** The text is that of a file, or else the body of a concept. */
    open: {
        readonly params: { readonly text: string; readonly relations: readonly SuppliedRelation[]; readonly file?: string };
        readonly result: null;
    };
    supply: { readonly params: readonly SuppliedRelation[]; readonly result: null };
    change: { readonly params: readonly Change[]; readonly result: null };
    problems: { readonly params: null; readonly result: readonly ToldProblem[] };
    tokens: { readonly params: { readonly start: number; readonly end: number }; readonly result: readonly ToldToken[] };
    /** `typed` is what was typed before, where nobody has asked for completions. */
    complete: { readonly params: { readonly offset: number; readonly typed?: string }; readonly result: ToldCompletions | null };
    hover: { readonly params: number; readonly result: ToldHover | null };
    signature: { readonly params: number; readonly result: ToldSignature | null };
    format: { readonly params: null; readonly result: readonly Change[] };
    define: { readonly params: number; readonly result: ToldDefinition };
    /** Without a new name it tells the one that is there. */
    rename: { readonly params: { readonly offset: number; readonly to?: string }; readonly result: ToldRenaming };
    /** The text with another name for a predicate. */
    renamed: { readonly params: { readonly text: string; readonly from: string; readonly to: string }; readonly result: string | null };
}

export interface LanguageQuestion {
    readonly id: number;
    readonly method: string;
    readonly params: unknown;
}

export type LanguageAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly failed: string });

/** Methods with what they are asked with and what they answer. */
export type Methods = Readonly<Record<string, { readonly params: unknown; readonly result: unknown }>>;

/** One function for each method. */
export type AnswersOf<M> = {
    readonly [K in keyof M]: M[K] extends { readonly params: infer P; readonly result: infer R } ? (params: P) => R | Promise<R> : never;
};
export type LanguageAnswers = AnswersOf<LanguageMethods>;
