import { test } from 'vitest';
import { documentEdits } from '../../fuzz/document-edits.ts';
import { searched } from '../../fuzz/search.ts';

test('a document that is edited equals one of the same text', () => searched(documentEdits, 1_020_777, 40));
