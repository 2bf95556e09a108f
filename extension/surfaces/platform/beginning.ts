import type { PlatformClient } from '#server/client/platform-client.ts';

/** What a concept is made of. */
export type ConceptKind = 'logic' | 'sql' | 'python';

type SaveBody = Parameters<PlatformClient['saveConcept']>[0]['body'];

/** What a new concept begins with: something that runs. */
export function beginning(kind: ConceptKind, name: string): Omit<SaveBody, 'scope'> {
    switch (kind) {
        case 'logic':
            return { concept_name: name, definition: `${name}("hello", 1).\n@output("${name}").\n` };
        case 'sql':
            return { concept_name: name, concept_type: 'sql', definition: "SELECT 'hello' AS greeting, 1 AS number\n" };
        case 'python':
            return {
                concept_name: name,
                definition: `${name}(Greeting, Number) <- python:run("${name}").\n@output("${name}").\n`,
                python_scripts: { [name]: 'def main():\n    return [{"Greeting": "hello", "Number": 1}]\n' },
            };
    }
}
