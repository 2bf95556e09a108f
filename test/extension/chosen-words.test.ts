import { afterEach, expect, test } from 'vitest';
import { chosenWords } from '#extension/page/chosen-words.ts';
import { l10n, speak } from '#extension/surfaces/l10n.ts';

const CATALOGUES = { de: { Rows: 'Zeilen' }, 'pt-br': { Rows: 'Linhas' } };

afterEach(() => speak({}));

test.each([
    [['de-AT', 'en'], 'de'],
    [['pt-BR'], 'pt-br'],
    [['pt', 'de'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
])('a reader of %j gets %s', (languages, language) => {
    expect(chosenWords(languages, CATALOGUES).language).toBe(language);
});

test('texts are said in the words that are spoken, others in English', () => {
    expect(l10n.t('Rows')).toBe('Rows');
    speak({ Rows: 'Zeilen', '{0} of {1} rows': '{1} Zeilen, davon {0}' });
    expect(l10n.t('Rows')).toBe('Zeilen');
    expect(l10n.t('{0} of {1} rows', '{1}', 7)).toBe('7 Zeilen, davon {1}');
    expect(l10n.t('{0} facts', 3)).toBe('3 facts');
});
