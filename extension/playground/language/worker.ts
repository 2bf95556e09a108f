import { answerInTurn } from '#extension/page/language/answer-in-turn.ts';
import { languageService } from '#extension/page/language/language-service.ts';
import type { AnswersOf } from '#extension/page/language/messages.ts';
import { dependencyView } from '#language/editing/dependency-view.ts';
import { EXTENSION, findModules, modulesAmong } from '#language/modules/find-module.ts';
import { type FindModule, inclusionOf } from '#language/modules/include.ts';
import type { Module } from '#language/program/inclusion.ts';
import { readProgram } from '#language/read-program.ts';
import { programParameters } from '#language/tools/program-parameters.ts';
import { mountFiles } from '#server/browser/file-system.ts';
import { runModules } from '#server/runs/run-modules.ts';
import { secretParameters } from '#server/secrets/secret-parameters.ts';
import { dependencyGraphOf } from '#server/workspace/dependency-graph-of.ts';
import type { FileBytes } from '../run/messages.ts';
import type { PlaygroundMethods } from './messages.ts';
import { pageSources } from './page-sources.ts';
import { readingClauses } from './reading-clauses.ts';

/** Looks at sources can only raise further questions about other binds. */
const ROUNDS = 4;
let texts = new Map<string, string>();
let find: FindModule = () => undefined;
const sources = pageSources();
const service = languageService({
    known: () => sources.known(),
    async settle(rules, again) {
        rules.include(inclusionOf(rules.module, find));
        let document = rules.current;
        for (let round = 0; round < ROUNDS && (await sources.look(document)); round++) document = again();
        return document;
    },
});

function setFiles(files: readonly FileBytes[]): null {
    mountFiles(files);
    sources.forget();
    const programs = files.filter(([path]) => path.endsWith(EXTENSION));
    texts = new Map(programs.map(([path, bytes]) => [path.slice(1), new TextDecoder().decode(bytes)]));
    find = findModules(modulesAmong(Array.from(texts, ([file, text]) => moduleOf(file, text))));
    service.again();
    return null;
}

function moduleOf(file: string, text: string): Module {
    const { value, problems } = readProgram(text, file);
    return { file, clauses: value.clauses, problems };
}

const { current: _, again: __, ...answers } = service;

answerInTurn({
    ...answers,
    files: setFiles,
    modules: async () => {
        const { inclusion } = (await service.current()).program;
        return runModules(
            inclusion,
            file => texts.get(file) ?? '',
            file => file,
        );
    },
    parameters: async () => {
        const { analysed } = await service.current();
        const secrets = secretParameters(analysed);
        return programParameters(analysed).map(one => ({ ...one, ...(secrets.has(one.name) && { secret: true as const }) }));
    },
    graph: async part => dependencyGraphOf((await service.current()).analysed, part),
    place: async ({ name, arity }) => {
        const { predicates } = dependencyView((await service.current()).analysed);
        const found = predicates.find(one => one.name === name && (arity === undefined || one.arity === arity))?.place;
        return found === undefined ? null : { file: found.file, start: found.start, end: found.end };
    },
    bind: readingClauses,
} satisfies AnswersOf<PlaygroundMethods>);
