import { say } from '#language/program/say.ts';
import type { Refuse } from '#server/sources/excel/zip.ts';

/** Refuses an encrypted workbook: a page does not decrypt. */
export function decryptedWorkbook(_bytes: Uint8Array, _password: string | undefined, refuse: Refuse): Uint8Array {
    return refuse(say`is encrypted, and no page in a browser reads such workbooks: save it without a password`);
}
