:- use_module(library(aggregate)).
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Z) :- path(X, Y), edge(Y, Z).
main :- consult('facts.lp'), aggregate_all(count, path(_, _), N), format("count=~w~n", [N]).
