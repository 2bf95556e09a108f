"""Searches among vectors with numpy: the file of numbers of 32 bits, how many a vector has, how many are wanted. A line names a row."""

import json
import sys
import time

import numpy as np

path, dimensions, wanted = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
vectors = np.fromfile(path, dtype=np.float32).astype(np.float64).reshape(-1, dimensions)
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
print("ready", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    scores = vectors @ vectors[int(line)]
    best = np.argpartition(-scores, wanted)[:wanted]
    nearest = best[np.lexsort((best, -scores[best]))].tolist()
    print(json.dumps({"milliseconds": (time.perf_counter() - began) * 1000, "nearest": nearest}), flush=True)
