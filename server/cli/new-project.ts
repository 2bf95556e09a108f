/** The program of a new project. */
export const NEW_PROGRAM = 'orders.rulelang';

const PROGRAM = `% What customers spent, from data/orders.csv, and who spent much.
@bind("order", "csv useHeaders=true", "data", "orders.csv").
@model("order", "['customer:string', 'item:string', 'amount:int']").
@param("much", 100).

@output("spent").
spent(Customer, Total) <- order(Customer, Item, Amount), Total = msum(Amount, <Item>).

@output("good_customer").
good_customer(Customer) <- spent(Customer, Total), Total >= ?much.
`;

const TESTS = `% The facts of a case stand instead of the CSV file.
@include("orders.rulelang").

@test("amounts are added").
order("Ann", "tea", 60).
order("Ann", "cups", 50).
order("Bo", "tea", 60).
@expect("spent").
spent("Ann", 110).
spent("Bo", 60).
@expect("good_customer").
good_customer("Ann").

@test("another limit").
@param("much", 50).
order("Bo", "tea", 60).
@expect("good_customer").
good_customer("Bo").
`;

const DATA = `customer,item,amount
Ann,tea,60
Ann,cups,50
Bo,tea,60
Bo,sugar,15
Cleo,cups,120
`;

const SETTINGS = { programs: [NEW_PROGRAM], tests: ['.'] };

/** The files of a new project, by their paths. */
export const NEW_PROJECT: ReadonlyMap<string, string> = new Map([
    [NEW_PROGRAM, PROGRAM],
    ['orders.test.rulelang', TESTS],
    ['data/orders.csv', DATA],
    ['rulelang.json', `${JSON.stringify(SETTINGS, undefined, 4)}\n`],
]);
