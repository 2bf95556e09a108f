import { PURE_FILES } from './pure-files.ts';

/** What starts no processes: these test files share what they import, which is most of their cost. */
const FOLDERS = ['architecture', 'bench', 'conformance', 'engine', 'language', 'naive', 'samples', 'syntaxes'];
export const PURE = [...FOLDERS.flatMap(name => [`test/${name}/**/*.test.ts`, `test/${name}.test.ts`]), ...PURE_FILES];

/** Steps are counted in functions that are compiled while this goes on: no other file may have run them before. */
export const COUNTED = [
    'test/engine/explain/why-not.test.ts',
    'test/engine/plan/heavy-programs.test.ts',
    'test/language/document/large.test.ts',
    'test/language/problems/heavy-programs.test.ts',
];

/**
 * The doors that `npm test` tries, which take some two seconds each: something of every process that users start, and what loads much that
 * `pure` does not share. The others are part of `npm run test:all`.
 */
export const FIRST_DOORS = [
    'test/api/dashboards.test.ts',
    'test/api/users.test.ts',
    'test/attack/supply.test.ts',
    'test/attack/unseen.test.ts',
    'test/cli/constraints.test.ts',
    'test/cli/graph.test.ts',
    'test/cli/modules.test.ts',
    'test/cli/nulls.test.ts',
    'test/cli/project.test.ts',
    'test/cli/queries.test.ts',
    'test/cli/scip.test.ts',
    'test/cli/search.test.ts',
    'test/cli/sources.test.ts',
    'test/cli/start.test.ts',
    'test/cli/surroundings.test.ts',
    'test/cli/what-if.test.ts',
    'test/docs/capabilities.test.ts',
    'test/docs/language-page.test.ts',
    'test/extension/chosen-words.test.ts',
    'test/extension/playground.test.ts',
    'test/lsp/concepts.test.ts',
    'test/lsp/inline-completion.test.ts',
    'test/lsp/moved-files.test.ts',
    'test/lsp/problem-help.test.ts',
    'test/lsp/question-at.test.ts',
    'test/lsp/search.test.ts',
    'test/lsp/session.test.ts',
    'test/lsp/test-cases.test.ts',
    'test/lsp/tools.test.ts',
    'test/model/lazy.test.ts',
    'test/model/model-functions.test.ts',
    'test/server/compute/refused-statements.test.ts',
    'test/server/compute/sql-engine.test.ts',
    'test/server/compute/texts-of-vectors.test.ts',
    'test/server/files/open-granted.test.ts',
    'test/server/runs/load-program.test.ts',
    'test/server/sources/binary-file.test.ts',
    'test/server/sources/excel/read-excel.test.ts',
    'test/server/sources/excel/write-excel.test.ts',
    'test/server/sources/packed-files.test.ts',
    'test/server/sources/text-file.test.ts',
    'test/server/store/data-directory.test.ts',
    'test/server/store/golden-stores.test.ts',
    'test/server/store/usage.test.ts',
    'test/server/team/team.test.ts',
    'test/server/workspace/source-columns.test.ts',
];
