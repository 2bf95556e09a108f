:- use_module(library(aggregate)).
:- table sg/2.
sg(X, Y) :- par(X, P), par(Y, P).
sg(X, Y) :- sg(A, B), par(X, A), par(Y, B).
main :- consult('facts.lp'), aggregate_all(count, sg(_, _), N), format("count=~w~n", [N]).
