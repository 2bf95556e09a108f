import type { ExtensionContext } from 'vscode';
import { isText, type Of, recordOf } from '#server/protocol/shape.ts';

const KEY = 'run.parameters';
/** Programs and concepts; those whose values were written longest ago are forgotten. */
const MOST = 200;
const isValues = recordOf(isText, MOST);
const isAll = recordOf(isValues, MOST);
type Values = Of<typeof isValues>;

/** Values of parameters that are secrets, by the program or the concept: in the secret storage of the editor, and nowhere else. */
export interface SecretValues {
    of(owner: string): Promise<Values>;
    put(owner: string, values: Values): Promise<void>;
}

export function createSecretValues({ secrets }: Pick<ExtensionContext, 'secrets'>): SecretValues {
    const all = async (): Promise<Readonly<Record<string, Values>>> => {
        const known: unknown = JSON.parse((await secrets.get(KEY)) ?? '{}');
        return isAll(known) ? known : {};
    };
    return {
        of: async owner => (await all())[owner] ?? {},
        async put(owner, values) {
            const known = await all();
            const { [owner]: before, ...others } = known;
            const written = Object.entries(values).filter(([, text]) => text !== '');
            if (before === undefined && written.length === 0) return;
            const owners = [...Object.entries(others), ...(written.length > 0 ? [[owner, Object.fromEntries(written)] as const] : [])];
            if (owners.length === 0) await secrets.delete(KEY);
            else await secrets.store(KEY, JSON.stringify(Object.fromEntries(owners.slice(-MOST))));
        },
    };
}
