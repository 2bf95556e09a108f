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
};
