import { AGGREGATES } from '#language/program/aggregates.ts';
import { functionNamed, functionNames } from './function-catalogue.ts';

/** Names that other languages give to our functions and aggregates, in lower case. */
const FOREIGN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
    ['average', 'avg'],
    ['mean', 'avg'],
    ['atom_length', 'string_length'],
    ['cat', 'concat'],
    ['charindex', 'index_of'],
    ['char_length', 'string_length'],
    ['concatenate', 'concat'],
    ['ends', 'ends_with'],
    ['endswith', 'ends_with'],
    ['float', 'as_double'],
    ['ifnull', 'nullManagement:coalesce'],
    ['indexof', 'index_of'],
    ['instr', 'index_of'],
    ['int', 'as_int'],
    ['integer', 'as_int'],
    ['isnull', 'is_null'],
    ['lcase', 'to_lower'],
    ['len', 'string_length'],
    ['length', 'string_length'],
    ['lower', 'to_lower'],
    ['match', 'rlike'],
    ['matches', 'rlike'],
    ['maximum', 'max'],
    ['minimum', 'min'],
    ['nvl', 'nullManagement:coalesce'],
    ['ord', 'as_int'],
    ['position', 'index_of'],
    ['power', 'math:pow'],
    ['regex', 'rlike'],
    ['regexp_like', 'rlike'],
    ['startswith', 'starts_with'],
    ['str', 'as_string'],
    ['string', 'as_string'],
    ['strpos', 'index_of'],
    ['substr', 'substring'],
    ['to_date', 'as_date'],
    ['to_float', 'as_double'],
    ['to_int', 'as_int'],
    ['to_number', 'as_double'],
    ['to_string', 'as_string'],
    ['tolower', 'to_lower'],
    ['tostring', 'as_string'],
    ['total', 'sum'],
    ['toupper', 'to_upper'],
    ['trim', 'strip'],
    ['ucase', 'to_upper'],
    ['upper', 'to_upper'],
    ['uppercase', 'to_upper'],
    ['upper_case', 'to_upper'],
    ['lowercase', 'to_lower'],
    ['lower_case', 'to_lower'],
    ['now', 'date:current_timestamp'],
    ['getdate', 'date:current_timestamp'],
    ['sysdate', 'date:current_timestamp'],
    ['current_time', 'date:current_timestamp'],
    ['today', 'date:current_date'],
    ['curdate', 'date:current_date'],
    ['date_add', 'date:plus'],
    ['dateadd', 'date:plus'],
    ['date_diff', 'date:between'],
    ['datediff', 'date:between'],
    ['date_part', 'date:part'],
    ['datepart', 'date:part'],
    ['date_trunc', 'date:truncate'],
    ['dayofweek', 'date:part'],
    ['extract', 'date:part'],
    ['timestampadd', 'date:plus'],
    ['timestampdiff', 'date:between'],
    ['weekday', 'date:part'],
    ['iif', 'if'],
    ['ifelse', 'if'],
    ['if_else', 'if'],
    ['isblank', 'is_null'],
    ['isempty', 'is_null'],
    ['isna', 'is_null'],
    ['is_na', 'is_null'],
    ['is.na', 'is_null'],
    ['notna', 'is_not_null'],
    ['notnull', 'is_not_null'],
    ['isnotnull', 'is_not_null'],
    ['mid', 'substring'],
    ['paste0', 'concat'],
    ['nchar', 'string_length'],
    ['ceiling', 'math:ceil'],
    ['bool', 'as_boolean'],
    ['date', 'as_date'],
    ['datevalue', 'as_date'],
    ['datetime', 'as_timestamp'],
    ['value', 'as_double'],
    ['float64', 'as_double'],
    ['round', 'math:round'],
    ['array_agg', 'munion'],
    ['collect', 'munion'],
    ['collect_list', 'munion'],
    ['collect_set', 'munion'],
    ['group_concat', 'munion'],
    ['list_agg', 'munion'],
    ['size', 'collections:size'],
    ['includes', 'contains'],
    ['touppercase', 'to_upper'],
    ['tolowercase', 'to_lower'],
    ['starts_with', 'starts_with'],
    ['str_detect', 'rlike'],
    ['grepl', 'rlike'],
    ['isnan', 'is_null'],
]);

/**
 * Calls that stand for more than another name, by name and number of arguments: `$1` is the first, `$*` are all of them. In
 * lower case.
 */
const FOREIGN_CALLS: ReadonlyMap<string, string> = new Map([
    ['if/2', 'if($1, $2, null)'],
    ['left/2', 'substring($1, 1, $2)'],
    ['right/2', 'substring($1, string_length($1) - $2 + 1)'],
    ['exact/2', '$1 == $2'],
    ['iseven/1', 'math:mod($1, 2) == 0'],
    ['isodd/1', 'math:mod($1, 2) != 0'],
    ['paste/*', 'concat_ws(" ", $*)'],
    ['n/0', 'count()'],
    ['n_distinct/1', 'count(1, <$1>)'],
    ['nunique/1', 'count(1, <$1>)'],
    ['count_distinct/1', 'count(1, <$1>)'],
    ['string_agg/2', 'munion($1)'],
    ['listagg/2', 'munion($1)'],
    ['group_concat/2', 'munion($1)'],
    ['filter/1', '$1'],
    ['isin/2', '$1 in $2'],
    ['year/1', 'date:part($1, "year")'],
    ['month/1', 'date:part($1, "month")'],
    ['week/1', 'date:part($1, "week")'],
    ['day/1', 'date:part($1, "day")'],
    ['hour/1', 'date:part($1, "hour")'],
    ['minute/1', 'date:part($1, "minute")'],
    ['second/1', 'date:part($1, "second")'],
    ['date:year/1', 'date:part($1, "year")'],
    ['date:month/1', 'date:part($1, "month")'],
    ['date:day/1', 'date:part($1, "day")'],
    ['date:hour/1', 'date:part($1, "hour")'],
    ['date:minute/1', 'date:part($1, "minute")'],
    ['date:second/1', 'date:part($1, "second")'],
]);

/** A suggestion for a call of another language: the name of our function, or a whole text if more than the name differs. */
export type MeantCall = { readonly name: string } | { readonly text: string };

/** Returns the meaning of a call that our library has under another name, in another form, or in other letters. */
export function meantByCall(name: string, args: readonly string[]): MeantCall | undefined {
    const plain = name.toLowerCase();
    const template = FOREIGN_CALLS.get(`${plain}/${args.length}`) ?? (args.length > 0 ? FOREIGN_CALLS.get(`${plain}/*`) : undefined);
    if (template !== undefined) {
        return { text: template.replace(/\$(\d|\*)/gu, (_, index) => (index === '*' ? args.join(', ') : (args[Number(index) - 1] ?? ''))) };
    }
    const meant = FOREIGN_FUNCTIONS.get(plain) ?? OWN_NAMES.get(plain);
    return meant === undefined || meant === name ? undefined : { name: meant };
}

/** The functions and aggregates of the language by their names in lower case, with and without their namespaces. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(
    [...functionNames()]
        .filter(name => functionNamed(name)?.name === name)
        .flatMap(name => [[name.slice(name.indexOf(':') + 1).toLowerCase(), name] as const, [name.toLowerCase(), name] as const])
        .concat([...Object.keys(AGGREGATES), 'if', 'and', 'or', 'not'].map(name => [name, name] as const)),
);
