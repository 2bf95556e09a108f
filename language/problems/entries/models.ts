import type { ProblemEntry } from '../problem-entry.ts';

/** RL603x: models. */
export const MODEL_PROBLEMS = {
    RL6030: {
        name: 'field-list-form',
        severity: 'warning',
        message: () => `Write the field list as "['name:type', …]"`,
        example: `@model("p", "name:string"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6031: {
        name: 'model-arity',
        severity: 'error',
        message: (p: string, n: number, m: number) => `Model of '${p}' has ${n} fields but ${m} columns are used`,
        remedy: 'add the missing fields',
        example: `@model("p", "['name:string']"). @input("p"). @output("h"). h(X) <- p(X, _).`,
    },
    RL6032: {
        name: 'unknown-type',
        severity: 'error',
        message: (t: string) => `Unknown type '${t}'`,
        example: `@model("p", "['name:strnig']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6033: {
        name: 'duplicate-field',
        severity: 'error',
        message: (s: string) => `Duplicate field '${s}'`,
        remedy: 'rename one of the fields',
        example: `@model("p", "['name:string', 'name:int']"). p("a", 1). @output("h"). h(X) <- p(X, _).`,
    },
    RL6034: {
        name: 'unknown-super-model',
        severity: 'error',
        message: (s: string) => `Unknown super model or field '${s}'`,
        example: `@model("p(q)", "['name:string']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6035: {
        name: 'model-cycle',
        severity: 'error',
        message: (cycle: string) => `Models refer to each other in a cycle: ${cycle}`,
        example: `@model("p(q)", "['a:string']"). @model("q(p)", "['a:string']"). p("x"). q("x").
@output("h"). h(X) <- p(X), q(X).`,
    },
    RL6036: {
        name: 'description-field',
        severity: 'warning',
        message: (s: string) => `Description names '[${s}]', which is not a field`,
        example: `@model("p", "['name:string']", "[nmae] lives here"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6037: {
        name: 'no-primary-key',
        severity: 'error',
        message: (s: string) => `'${s}' has no primary key; mark a field with (ID)`,
        remedy: 'add (ID) to the field that identifies it',
        example: `@model("p", "['name:string']"). @model("q", "['owner:p']"). p("a"). q("a").
@output("h"). h(X) <- p(X), q(X).`,
    },
    RL6038: {
        name: 'two-primary-keys',
        severity: 'error',
        message: () => 'More than one primary key',
        remedy: 'keep one (ID)',
        example: `@model("p", "['a(ID):string', 'b(ID):int']"). p("a", 1). @output("h"). h(X) <- p(X, _).`,
    },
    RL6039: {
        name: 'second-model',
        severity: 'error',
        message: (p: string) => `'${p}' already has a model`,
        remedy: 'remove one of the models',
        example: `@model("p", "['a:string']"). @model("p", "['b:string']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6040: {
        name: 'endpoint-without-model',
        severity: 'warning',
        message: (s: string) => `Relationship endpoint '${s}' has no model`,
        remedy: 'give it a model with a primary key',
        example: `@model("(a)p(b)", "['x(sID):string', 'y(tID):string']"). @model("a", "['x(ID):string']").
a("u"). b("v"). p("u", "v"). @output("h"). h(X) <- p(X, _), a(X), b(_).`,
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
