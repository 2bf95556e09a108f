:- use_module(library(aggregate)).
:- table pt/2.
pt(X, O) :- alloc(X, O).
pt(X, O) :- pt(Y, O), move(X, Y).
pt(X, O) :- pt(Y, P), load(X, Y), pt(P, O).
pt(P, O) :- pt(X, P), store(X, Y), pt(Y, O).
main :- consult('facts.lp'), aggregate_all(count, pt(_, _), N), format("count=~w~n", [N]).
