import { it } from 'vitest';
import { generated, outputs } from '../fuzz/generated.ts';
import { searched } from '../fuzz/search.ts';

it('generated programs give the same facts however they are evaluated', () => searched(generated, 20_777, 6));

it('some outputs of programs are the same where nobody looks at others', () => searched(outputs, 20_777, 12));
