import type { Command } from './command.ts';
import { analyze } from './commands/analyze.ts';
import { ask } from './commands/ask.ts';
import { binds } from './commands/binds.ts';
import { check } from './commands/check.ts';
import { completion } from './commands/completion.ts';
import { concept } from './commands/concept.ts';
import { dap } from './commands/dap.ts';
import { data } from './commands/data.ts';
import { diff } from './commands/diff.ts';
import { explain } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { format } from './commands/format.ts';
import { graph } from './commands/graph.ts';
import { index } from './commands/index.ts';
import { infer } from './commands/infer.ts';
import { lsp } from './commands/lsp.ts';
import { mcp } from './commands/mcp.ts';
import { model } from './commands/model.ts';
import { newProject } from './commands/new.ts';
import { open } from './commands/open.ts';
import { project } from './commands/project.ts';
import { repl } from './commands/repl.ts';
import { run } from './commands/run.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { test } from './commands/test.ts';
import { token } from './commands/token.ts';
import { translate } from './commands/translate.ts';
import { validate } from './commands/validate.ts';
import { whatIf } from './commands/what-if.ts';

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
    newProject,
    run,
    repl,
    check,
    test,
    explain,
    whatIf,
    diff,
    validate,
    infer,
    translate,
    format,
    search,
    graph,
    exportCommand,
    index,
    analyze,
    binds,
    lsp,
    dap,
    mcp,
    serve,
    open,
    token,
    project,
    concept,
    data,
    ask,
    model,
    completion,
];
