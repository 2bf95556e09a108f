/** The file ending of notebooks: programs between text, whose cells show what they define. */
const NOTEBOOK_ENDING = '.rulelangnb';

/** Whether a file of this name is a notebook. */
export function isNotebook(file: string): boolean {
    return file.endsWith(NOTEBOOK_ENDING);
}
