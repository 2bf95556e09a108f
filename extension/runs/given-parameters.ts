import { type ExtensionContext, l10n, type Uri, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { rememberedPrograms } from '#extension/host/remembered-programs.ts';
import type { SecretValues } from '#extension/host/secret-values.ts';
import { givenAs } from '#extension/surfaces/given-as.ts';
import type { ParameterSet, ProgramParameter, WrittenValues } from '#extension/webviews/results/messages.ts';
import type { GivenParameter, GivenParameters } from '#server/protocol/runs.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';

const KEY = 'run.parameters';

/** Values for the parameters of a program as the user wrote them, now and in sets with names; secrets are elsewhere. */
interface Remembered {
    readonly uri: string;
    readonly written: WrittenValues;
    readonly sets: readonly ParameterSet[];
}

/** Parameters of a run, and which of them are secrets: their values are not kept with the run. */
export interface GivenToRun {
    readonly values: GivenParameters;
    readonly secrets: ReadonlySet<string>;
}

/** The values that runs of programs are given: those of the setting, and over them those that were written for the program. */
export interface ProgramParameters {
    /** Returns the parameters of the next run of a program; `instead` are those of an earlier run, whose secrets were not kept. */
    given(document: Uri, instead?: GivenParameters): Promise<GivenToRun>;
    form(document: Uri): Promise<{ readonly parameters: readonly ProgramParameter[]; readonly sets: readonly ParameterSet[] }>;
    write(document: Uri, values: WrittenValues): Promise<void>;
    /** Keeps values under a name that the user says, which is answered. Secrets are not part of it. */
    keepSet(document: Uri, values: WrittenValues, name: string): Promise<string | undefined>;
    forgetSet(document: Uri, name: string): Promise<void>;
}

export function createProgramParameters(
    { workspaceState }: ExtensionContext,
    secretValues: SecretValues,
    server: Server,
): ProgramParameters {
    const remembered = rememberedPrograms<Remembered>(workspaceState, KEY);
    const known = (document: Uri): Remembered => remembered.of(document) ?? { uri: document.toString(), written: [], sets: [] };
    const declared = (document: Uri): Promise<readonly Omit<ProgramParameter, 'written'>[]> =>
        server.ask('rulelang/parameters', { uri: document.toString() });
    /** Everything that was written for a program. */
    const written = async (document: Uri): Promise<WrittenValues> => {
        const hidden = Object.entries(await secretValues.of(document.toString()));
        return [...known(document).written, ...hidden.map(([name, text]) => ({ name, written: text }))];
    };
    const secretsOf = async (document: Uri): Promise<(name: string) => boolean> => secretsAmong(await declared(document));
    return {
        async given(document, instead) {
            const setting = readSetting('run.parameters', document);
            const texts = await written(document);
            if (texts.length === 0 && Object.keys({ ...setting, ...instead }).length === 0) return { values: {}, secrets: new Set() };
            const parameters = await declared(document);
            const types = new Map(parameters.map(({ name, type }) => [name, type]));
            const ofProgram = texts.flatMap(({ name, written: text }) =>
                types.has(name) && text !== '' ? [[name, givenAs(text, types.get(name))] as const] : [],
            );
            const now: GivenParameters = { ...setting, ...Object.fromEntries(ofProgram) };
            const secrets = new Set(Object.keys({ ...now, ...instead }).filter(secretsAmong(parameters)));
            if (instead === undefined) return { values: now, secrets };
            return { values: { ...instead, ...Object.fromEntries(Object.entries(now).filter(([name]) => secrets.has(name))) }, secrets };
        },
        async form(document) {
            const settings = new Map<string, GivenParameter>(Object.entries(readSetting('run.parameters', document)));
            const texts = new Map((await written(document)).map(value => [value.name, value.written]));
            const parameters = (await declared(document)).map(parameter => {
                const value = settings.get(parameter.name);
                const text = texts.get(parameter.name) || (value === undefined ? '' : textOf(value));
                return { ...parameter, ...(text !== '' && { written: text }) };
            });
            return { parameters, sets: known(document).sets };
        },
        async write(document, values) {
            const isSecret = await secretsOf(document);
            const hidden = values.filter(({ name }) => isSecret(name));
            await secretValues.put(document.toString(), Object.fromEntries(hidden.map(({ name, written: text }) => [name, text])));
            await remembered.put({ ...known(document), written: values.filter(({ name }) => !isSecret(name)) });
        },
        async keepSet(document, values, name) {
            const asked = await window.showInputBox({
                title: l10n.t('Save values as a set'),
                prompt: l10n.t('What the set is called'),
                value: name,
                ignoreFocusOut: true,
                validateInput: text => (text.trim() === '' ? l10n.t('A set needs a name') : undefined),
            });
            const chosen = asked?.trim();
            if (!chosen) return undefined;
            const isSecret = await secretsOf(document);
            const { sets, ...program } = known(document);
            const others = sets.filter(set => set.name !== chosen);
            const plain = values.filter(value => !isSecret(value.name));
            await remembered.put({
                ...program,
                sets: [...others, { name: chosen, values: plain }].sort((a, b) => (a.name < b.name ? -1 : 1)),
            });
            return chosen;
        },
        async forgetSet(document, name) {
            const { sets, ...program } = known(document);
            await remembered.put({ ...program, sets: sets.filter(set => set.name !== name) });
        },
    };
}

function secretsAmong(declared: readonly Omit<ProgramParameter, 'written'>[]): (name: string) => boolean {
    const secret = new Set(declared.flatMap(parameter => (parameter.secret ? [parameter.name] : [])));
    return name => secret.has(name) || namesSecret(name);
}

function textOf(value: GivenParameter): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
}
