"""Prints, as JSON, the assertions between named individuals that owlrl, a reasoner for OWL 2 RL, derives from the cases of a file."""

import json
import sys

import owlrl
from rdflib import OWL, RDF, RDFS, XSD, Graph, URIRef

PREFIXES = f"@prefix : <http://e.org/o#> .\n@prefix owl: <{OWL}> .\n@prefix rdf: <{RDF}> .\n@prefix rdfs: <{RDFS}> .\n@prefix xsd: <{XSD}> .\n"
NAMES = "http://e.org/o#"


def is_named(term):
    return isinstance(term, URIRef) and term.startswith(NAMES)


def local(term):
    return term.split("#")[1]


def derived(text):
    graph = Graph().parse(data=PREFIXES + text, format="turtle")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    found = set()
    inconsistent = False
    for subject, predicate, value in graph:
        if str(value).endswith("#ErrorMessage"):
            inconsistent = True
        if not is_named(subject) or not is_named(value):
            continue
        if predicate == RDF.type:
            found.add(f"{local(value).lower()}({local(subject)})")
        elif predicate == OWL.sameAs:
            if subject != value:
                found.add(f"sameas({local(subject)},{local(value)})")
        elif is_named(predicate):
            found.add(f"{local(predicate).lower()}({local(subject)},{local(value)})")
    return sorted(found) + (["#F"] if inconsistent else [])


cases = open(sys.argv[1], encoding="utf-8").read().split("\n== ")[1:]
verdicts = {}
for case in cases:
    name, text = case.split("\n", 1)
    verdicts[name.strip()] = derived(text)
print("{")
print(",\n".join(f"    {json.dumps(name)}: {json.dumps(' '.join(facts))}" for name, facts in sorted(verdicts.items())))
print("}")
