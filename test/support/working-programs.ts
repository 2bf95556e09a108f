/** Small programs that work, each with facts of its own: what people write, to be broken on purpose. */
export const WORKING_PROGRAMS: Readonly<Record<string, string>> = {
    roads: `
road("kiel","hamburg",95). road("hamburg","bremen",125). road("bremen","hannover",130).
road("hannover","kassel",165). road("kassel","fulda",105). road("berlin","leipzig",190).
open("kiel"). open("hamburg"). open("bremen"). open("hannover"). open("kassel"). open("fulda"). open("leipzig").
link(X, Y) <- road(X, Y, D), open(Y), D < 180.
reach(X, Y) <- link(X, Y).
reach(X, Z) <- reach(X, Y), link(Y, Z).
@output("reach").
`,
    shares: `
own("ada","bix",60). own("ada","cor",20). own("bix","cor",35). own("cor","dun",80). own("eve","dun",15). own("eve","fay",51). own("dun","fay",40).
holds(X, X, Y, Q) <- own(X, Y, Q).
holds(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
total(X, Y, S) <- holds(X, Z, Y, Q), S = msum(Q, <Z>).
ctrl(X, Y) <- total(X, Y, S), S > 50.
@output("ctrl").
`,
    loans: `
person("ann",34,"paris"). person("bob",17,"paris"). person("cleo",52,"lyon"). person("dan",45,"nice").
income("ann",3200). income("bob",400). income("cleo",5100). income("dan",2600).
debt("dan",9000). debt("cleo",500).
office("paris","north"). office("lyon","south"). office("nice","south").
adult(P) <- person(P, A, _), A >= 18.
burdened(P) <- debt(P, D), D > 4000.
eligible(P, R) <- adult(P), income(P, I), I > 2000, not burdened(P), person(P, _, C), office(C, R).
premium(P) <- eligible(P, "south"), income(P, I), I >= 5000.
@output("eligible"). @output("premium").
`,
    courses: `
student("ann","physics"). student("bob","maths"). student("cleo","physics"). student("dan","history").
passed("ann","analysis",1.3). passed("ann","optics",2.0). passed("bob","analysis",2.7). passed("cleo","analysis",1.0). passed("cleo","optics",3.3). passed("dan","rome",1.7).
needs("physics","analysis"). needs("physics","optics"). needs("maths","analysis"). needs("history","rome").
lacks(S, F) <- student(S, F), needs(F, C), not has(S, C).
has(S, C) <- passed(S, C, G), G <= 3.0.
complete(S, F) <- student(S, F), not lacks(S, F).
honours(S) <- complete(S, F), best(S, B), B < 1.5.
best(S, B) <- passed(S, _, G), B = mmin(G).
@output("complete"). @output("honours").
`,
    access: `
user("ann","dev"). user("bob","ops"). user("cleo","audit"). user("dan","dev").
inherits("ops","dev"). inherits("admin","ops"). inherits("audit","reader"). inherits("dev","reader").
grant("reader","wiki","read"). grant("dev","code","write"). grant("ops","server","restart").
locked("dan").
role(U, R) <- user(U, R).
role(U, S) <- role(U, R), inherits(R, S).
may(U, O, A) <- role(U, R), grant(R, O, A), not locked(U).
writer(U) <- may(U, O, "write").
@output("may"). @output("writer").
`,
    stock: `
item("bolt",40,12). item("nut",15,8). item("gear",3,250). item("belt",0,90).
supplier("bolt","acme"). supplier("nut","acme"). supplier("gear","zeta"). supplier("belt","zeta").
rating("acme",4). rating("zeta",2).
low(I) <- item(I, N, _), N < 20.
order(I, S) <- low(I), supplier(I, S), rating(S, R), R > 1.
dear(I) <- item(I, _, P), P >= 90.
check(I, S) <- order(I, S), dear(I).
value(S, V) <- supplier(I, S), item(I, N, P), V = msum(N * P, <I>).
@output("order"). @output("check"). @output("value").
`,
    family: `
parent("tom","ida"). parent("tom","max"). parent("ida","lea"). parent("max","kim"). parent("lea","jon"). parent("kim","amy").
sex("tom","m"). sex("ida","f"). sex("max","m"). sex("lea","f"). sex("kim","f"). sex("jon","m"). sex("amy","f").
ancestor(X, Y) <- parent(X, Y).
ancestor(X, Z) <- ancestor(X, Y), parent(Y, Z).
sibling(X, Y) <- parent(P, X), parent(P, Y), X != Y.
aunt(A, C) <- sibling(A, P), parent(P, C), sex(A, "f").
cousin(X, Y) <- parent(P, X), parent(Q, Y), sibling(P, Q).
@output("ancestor"). @output("aunt"). @output("cousin").
`,
    alarms: `
sensor("s1","hall",20). sensor("s2","hall",25). sensor("s3","attic",20). sensor("s4","cellar",15).
reading("s1",1,22). reading("s1",2,19). reading("s2",1,31). reading("s3",1,28). reading("s3",2,33). reading("s4",1,12).
muted("attic").
over(S, T, V) <- reading(S, T, V), sensor(S, _, L), V > L.
peak(S, P) <- over(S, _, V), P = mmax(V).
alarm(R, S) <- peak(S, P), sensor(S, R, _), not muted(R), P >= 22.
quiet(R) <- sensor(S, R, _), not over(S, _, _).
@output("alarm"). @output("peak").
`,
    library: `
book("b1","Emma","austen",1815). book("b2","Dune","herbert",1965). book("b3","Persuasion","austen",1817). book("b4","Solaris","lem",1961).
copy("c1","b1"). copy("c2","b2"). copy("c3","b2"). copy("c4","b3"). copy("c5","b4").
lent("c1","ann"). lent("c3","bob").
member("ann"). member("bob"). member("cleo").
likes("cleo","austen"). likes("ann","herbert"). likes("bob","lem").
free(C, B) <- copy(C, B), not lent(C, _).
offer(M, T) <- member(M), likes(M, A), book(B, T, A, _), free(_, B).
classic(T) <- book(_, T, _, Y), Y < 1900.
suggest(M, T) <- offer(M, T), classic(T).
@output("offer"). @output("suggest").
`,
    deliveries: `
depot("west","köln"). depot("east","berlin").
drives("köln","bonn",30). drives("köln","essen",75). drives("berlin","potsdam",40). drives("potsdam","halle",150).
parcel("p1","bonn",4.5). parcel("p2","essen",12.0). parcel("p3","potsdam",3.0). parcel("p4","halle",8.0).
within(D, C, M) <- depot(D, S), drives(S, C, T), M = mmin(T).
within(D, C, M) <- within(D, B, N), drives(B, C, T), M = mmin(N + T).
sameday(P, D) <- parcel(P, C, W), within(D, C, M), M <= 120, W < 10.0.
load(D, K) <- parcel(P, C, W), within(D, C, _), K = msum(W, <P>).
@output("sameday"). @output("load").
`,
    trust: `
vouches("ann","bob",8). vouches("bob","cleo",7). vouches("cleo","dan",9). vouches("dan","eve",6). vouches("ann","fay",3).
seed("ann").
banned("eve").
trusted(X) <- seed(X).
trusted(Y) <- trusted(X), vouches(X, Y, W), W > 5, not banned(Y).
votes(Y, N) <- trusted(X), vouches(X, Y, _), N = mcount(1, <X>).
elected(Y) <- votes(Y, N), N >= 1, trusted(Y).
@output("trusted"). @output("elected").
`,
    menus: `
dish("soup","vegan",6). dish("steak","meat",24). dish("pasta","vegetarian",12). dish("curry","vegan",14).
contains("soup","celery"). contains("steak","pepper"). contains("pasta","wheat"). contains("curry","nuts").
guest("ann","vegan",20). guest("bob","meat",30). guest("cleo","vegetarian",15).
allergic("ann","nuts"). allergic("cleo","celery").
suits("vegan","vegan"). suits("vegetarian","vegetarian"). suits("vegetarian","vegan"). suits("meat","meat").
unsafe(G, D) <- allergic(G, I), contains(D, I).
affordable(G, D) <- guest(G, _, B), dish(D, _, P), P <= B.
eats(G, D) <- guest(G, T, _), suits(T, K), dish(D, K, _), affordable(G, D), not unsafe(G, D).
@output("eats").
`,
    hospital: `
ward("w1","surgery",12). ward("w2","cardiology",8). ward("w3","children",20).
nurse("ida","w1",4). nurse("jan","w1",2). nurse("kai","w2",7). nurse("lou","w3",1). nurse("mia","w3",9).
patient("p1","w1",71). patient("p2","w1",34). patient("p3","w2",80). patient("p4","w3",6). patient("p5","w3",11). patient("p6","w2",45).
holiday("jan").
onduty(N, W) <- nurse(N, W, _), not holiday(N).
senior(N) <- nurse(N, _, Y), Y >= 4.
cares(N, P) <- onduty(N, W), patient(P, W, _).
risky(P) <- patient(P, _, A), A > 70.
guarded(P) <- risky(P), cares(N, P), senior(N).
load(N, C) <- cares(N, P), C = mcount(1, <P>).
@output("cares"). @output("guarded"). @output("load").
`,
    flights: `
airport("HAM","DE"). airport("FRA","DE"). airport("LIS","PT"). airport("JFK","US"). airport("SFO","US").
flight("f1","HAM","FRA",65). flight("f2","FRA","LIS",185). flight("f3","FRA","JFK",520). flight("f4","JFK","SFO",375). flight("f5","LIS","JFK",470).
airline("f1","lh"). airline("f2","tp"). airline("f3","lh"). airline("f4","ua"). airline("f5","tp").
strike("ua").
runs(F, A, B, M) <- flight(F, A, B, M), airline(F, L), not strike(L).
trip(A, B, M) <- runs(_, A, B, M).
trip(A, C, T) <- trip(A, B, M), runs(_, B, C, N), T = M + N, T < 900.
abroad(A, B) <- trip(A, B, _), airport(A, X), airport(B, Y), X != Y.
quickest(A, B, Q) <- trip(A, B, M), Q = mmin(M).
@output("abroad"). @output("quickest").
`,
    invoices: `
customer(101,"Nord GmbH","gold"). customer(102,"West AG","basic"). customer(103,"Ost KG","gold").
invoice(1,101,250.0). invoice(2,101,90.5). invoice(3,102,1200.0). invoice(4,103,40.0). invoice(5,103,75.0).
paid(1). paid(4). paid(5).
rebate("gold",0.1). rebate("basic",0.0).
open(I, C, A) <- invoice(I, C, A), not paid(I).
debtor(N, S) <- open(_, C, A), customer(C, N, _), S = msum(A).
due(I, D) <- open(I, C, A), customer(C, _, K), rebate(K, R), D = A * (1 - R).
remind(N) <- debtor(N, S), S > 80.0.
loyal(N) <- customer(C, N, "gold"), not open(_, C, _).
@output("due"). @output("remind"). @output("loyal").
`,
    league: `
team("reds","north"). team("blues","north"). team("greens","south"). team("whites","south").
game(1,"reds","blues",3,1). game(2,"greens","whites",0,0). game(3,"blues","greens",2,4). game(4,"whites","reds",1,2).
win(G, H) <- game(G, H, _, X, Y), X > Y.
win(G, A) <- game(G, _, A, X, Y), Y > X.
draw(G, H) <- game(G, H, _, X, X).
draw(G, A) <- game(G, _, A, X, X).
beat(T, U) <- win(G, T), plays(G, U), T != U.
plays(G, T) <- game(G, T, _, _, _).
plays(G, T) <- game(G, _, T, _, _).
wins(T, N) <- win(G, T), N = mcount(1, <G>).
leader(R, T) <- team(T, R), wins(T, N), N >= 1, not drew(T).
drew(T) <- draw(_, T).
@output("beat"). @output("wins"). @output("leader").
`,
    network: `
host("web1","dmz"). host("web2","dmz"). host("app1","inner"). host("db1","core"). host("db2","core").
port("web1",443). port("web2",8080). port("app1",9000). port("db1",5432). port("db2",5433).
allow("dmz","inner"). allow("inner","core").
patched("web1"). patched("app1"). patched("db1").
talks(H, K) <- host(H, Z), host(K, Y), allow(Z, Y).
path(H, K) <- talks(H, K).
path(H, L) <- path(H, K), talks(K, L).
weak(H) <- host(H, _), not patched(H).
exposed(H, P) <- port(H, P), host(H, "dmz"), P < 9000.
danger(K, W) <- weak(W), exposed(W, _), path(W, K).
@output("danger"). @output("path"). @output("exposed").
`,
    hr: `
emp("e1","Ann","sales",4200). emp("e2","Bo","sales",3100). emp("e3","Cy","it",5200). emp("e4","Di","it",4800). emp("e5","Ed","legal",6100).
boss("e2","e1"). boss("e1","e5"). boss("e4","e3"). boss("e3","e5").
skill("e1","french"). skill("e2","french"). skill("e3","java"). skill("e4","java"). skill("e4","french").
chain(E, B) <- boss(E, B).
chain(E, C) <- chain(E, B), boss(B, C).
paidmore(B, E) <- chain(E, B), emp(B, _, _, S), emp(E, _, _, T), S > T.
top(E) <- emp(E, _, _, _), not boss(E, _).
team(D, N) <- emp(E, _, D, _), N = mcount(1, <E>).
peer(E, F, K) <- skill(E, K), skill(F, K), E < F.
mentor(B, E) <- paidmore(B, E), skill(B, K), skill(E, K).
@output("paidmore"). @output("team"). @output("peer"). @output("mentor").
`,
    recipes: `
recipe("pancake","flour",200). recipe("pancake","milk",300). recipe("pancake","egg",2). recipe("omelette","egg",3). recipe("omelette","butter",20). recipe("rice pudding","rice",150). recipe("rice pudding","milk",500).
pantry("flour",1000). pantry("milk",400). pantry("egg",6). pantry("butter",10). pantry("rice",300).
swap("butter","oil"). oil("oil",100).
short(R, I) <- recipe(R, I, N), pantry(I, M), M < N.
missing(R, I) <- recipe(R, I, _), not pantry(I, _).
cookable(R) <- recipe(R, _, _), not short(R, _), not missing(R, _).
rescue(R, S) <- short(R, I), swap(I, S), oil(S, _).
uses(I, T) <- recipe(R, I, N), T = msum(N, <R>).
gap(R, I, G) <- short(R, I), recipe(R, I, N), pantry(I, M), G = N - M.
@output("cookable"). @output("rescue"). @output("uses"). @output("gap").
`,
    exams: `
exam("algebra",2026-02-03,"h1"). exam("logic",2026-02-03,"h2"). exam("history",2026-02-10,"h1").
sits("tim","algebra"). sits("tim","logic"). sits("uma","logic"). sits("uma","history"). sits("vic","history"). sits("vic","algebra").
hall("h1",30). hall("h2",10).
mark("tim","algebra",55). mark("uma","logic",72). mark("uma","history",38). mark("vic","history",91). mark("vic","algebra",64).
clash(S, A, B) <- sits(S, A), sits(S, B), exam(A, D, _), exam(B, D, _), A < B.
passed(S, E) <- mark(S, E, M), M >= 40.
failed(S, E) <- mark(S, E, M), M < 40.
resit(S, E, H) <- failed(S, E), exam(E, _, H), hall(H, C), C > 20.
best(E, B) <- mark(_, E, M), B = mmax(M).
prize(S, E) <- mark(S, E, M), best(E, M), passed(S, E), not clash(S, _, _).
@output("clash"). @output("resit"). @output("prize").
`,
    ferries: `
port("oban","mainland"). port("craig","mull"). port("iona","iona"). port("tobe","mull"). port("coll","coll"). port("tiree","tiree").
ferry("oban","craig",46,19). ferry("fion","iona",10,4). ferry("oban","coll",165,32). ferry("coll","tiree",55,11). ferry("tobe","kilch",35,9).
bus("craig","fion",75). bus("craig","tobe",50).
season("coll","summer"). season("iona","summer"). season("tiree","winter").
cancelled("tobe","kilch").
sails(A, B, M) <- ferry(A, B, M, _), not cancelled(A, B).
sails(A, B, M) <- ferry(B, A, M, _), not cancelled(B, A).
leg(A, B, M) <- sails(A, B, M).
leg(A, B, M) <- bus(A, B, M).
trip(A, B, M) <- leg(A, B, M).
trip(A, C, T) <- trip(A, B, M), leg(B, C, N), T = M + N, T <= 240, A != C.
daytrip(B) <- trip("oban", B, T), T < 150, port(B, _).
summer(P) <- season(P, "summer"), daytrip(P).
cheap(A, B) <- ferry(A, B, _, F), F < 15.
@output("trip"). @output("daytrip"). @output("summer"). @output("cheap").
`,
    assembly: `
part("bike","frame",1). part("bike","wheel",2). part("wheel","rim",1). part("wheel","spoke",32). part("wheel","tyre",1). part("frame","tube",3). part("bike","saddle",1).
price("rim",25). price("spoke",1). price("tyre",18). price("tube",12). price("saddle",30).
weight("rim",450). weight("spoke",6). weight("tyre",600). weight("tube",380). weight("saddle",250).
vendor("rim","mavik"). vendor("spoke","sapin"). vendor("tyre","conti"). vendor("tube","colombo"). vendor("saddle","brook").
lead("mavik",14). lead("sapin",5). lead("conti",7). lead("colombo",30). lead("brook",21).
uses(X, Y) <- part(X, Y, _).
uses(X, Z) <- uses(X, Y), part(Y, Z, _).
basic(X) <- part(_, X, _), not part(X, _, _).
material(X, Y) <- uses(X, Y), basic(Y).
late(X, V) <- material(X, Y), vendor(Y, V), lead(V, D), D > 20.
heavy(Y) <- weight(Y, G), G >= 400, basic(Y).
cost(X, C) <- part(X, Y, N), price(Y, P), C = msum(N * P, <Y>).
costly(X) <- cost(X, C), C > 70.
@output("material"). @output("late"). @output("heavy"). @output("cost"). @output("costly").
`,
    rights: `
account("mona","sales"). account("nils","sales"). account("olga","finance"). account("paul","board"). account("quin","guest").
team("sales","staff"). team("finance","staff"). team("board","management"). team("management","staff").
folder("offers","root"). folder("bills","root"). folder("secret","bills"). folder("drafts","offers").
permit("staff","offers","read"). permit("sales","offers","edit"). permit("finance","bills","edit"). permit("management","bills","read").
deny("nils","drafts"). external("quin").
member(A, T) <- account(A, T).
member(A, U) <- member(A, T), team(T, U).
inside(F, G) <- folder(F, G).
inside(F, H) <- inside(F, G), folder(G, H).
allowed(A, F, R) <- member(A, T), permit(T, F, R), not external(A).
allowed(A, F, R) <- allowed(A, G, R), inside(F, G), not deny(A, F).
editor(A, F) <- allowed(A, F, "edit").
readonly(A, F) <- allowed(A, F, "read"), not editor(A, F).
@output("allowed"). @output("readonly"). @output("editor").
`,
};
