"""The grammar of docs/notation.md is that of the parser: what the grammar makes is well-formed to the parser, and what the parser takes
is a sentence of the grammar. The texts are drawn from the grammar, and taken from the documentation; some are broken at random."""
import collections
import functools
import os
import random
import re

import pytest

import tessera as ts

SOURCE = os.environ["TSR_SOURCE"]
PAGE = open(os.path.join(SOURCE, "docs", "notation.md"), encoding="utf-8").read()
TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([+*|]=|[<>=!]=|[-+*/&|!<>=?:;,(){}]))")


class Grammar:
    """rules: name to a tree of ("or", trees), ("seq", trees), ("many", tree), ("maybe", tree), ("is", token) and ("rule", name)."""

    def __init__(self, text):
        self.rules, name = {}, None
        bodies = {}
        for line in text.splitlines():
            if ":=" in line:
                name, line = line.split(":=", 1)
                name = name.strip()
            bodies[name] = bodies.get(name, "") + " " + line
        for name, body in bodies.items():
            self.tokens = re.findall(r"'[^']*'|\w+|[()\[\]*|]", body)
            self.rules[name] = self.either()
            assert not self.tokens, "%s: %s is left" % (name, self.tokens)

    def either(self):
        ways = [self.sequence()]
        while self.tokens[:1] == ["|"]:
            self.tokens.pop(0)
            ways.append(self.sequence())
        return ("or", ways)

    def sequence(self):
        parts = []
        while self.tokens and self.tokens[0] not in "|)]":
            token = self.tokens.pop(0)
            if token in "([":
                part = self.either()
                assert self.tokens.pop(0) == {"(": ")", "[": "]"}[token]
                part = ("maybe", part) if token == "[" else part
            else:
                part = ("is", token[1:-1]) if token[0] == "'" else ("rule", token)
            if self.tokens[:1] == ["*"]:
                self.tokens.pop(0)
                part = ("many", part)
            parts.append(part)
        return ("seq", parts)


GRAMMAR = Grammar(re.search(r"(?m)(^    program .*\n(?:^    .*\n)+)", PAGE)[1])


def words_of(rule):
    return {part[1] for way in GRAMMAR.rules[rule][1] for part in way[1]}


CALLED = words_of("ONE") | words_of("TWO") | {"uniform", "eye", "tril", "triu", "band"}


class Reader:
    """Where the parts of a text can end that a tree of the grammar makes. A name is not a tensor where a '(' makes it a function."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.rule = functools.lru_cache(maxsize=None)(self.rule)

    def rule(self, name, at):
        here = self.tokens[at : at + 2]
        if name == "NAME":
            return frozenset([at + 1] if here and re.match(r"[A-Za-z_]", here[0]) else [])
        if name == "NUMBER":
            return frozenset([at + 1] if here and re.match(r"[\d.]", here[0]) else [])
        if name == "OPERAND" and here[1:] == ["("] and here[0] in CALLED:
            return frozenset()
        return self.ends(GRAMMAR.rules[name], at)

    def ends(self, tree, at):
        kind, of = tree
        if kind == "is":
            return frozenset([at + 1] if self.tokens[at : at + 1] == [of] else [])
        if kind == "rule":
            return self.rule(of, at)
        if kind == "or":
            return frozenset().union(*(self.ends(x, at) for x in of))
        found = frozenset([at])
        if kind == "seq":
            for x in of:
                found = frozenset().union(*(self.ends(x, k) for k in found))
            return found
        new = found
        while new:
            new = frozenset().union(*(self.ends(of, k) for k in new)) - found
            found |= new
            if kind == "maybe":
                break
        return found


def tokens_of(text):
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            return None
        tokens.append(found[0].strip())
        at = found.end()
    return tokens


def is_sentence(text):
    tokens = tokens_of(text)
    return tokens is not None and len(tokens) in Reader(tokens).rule("program", 0)


def refusal(text):
    """What the parser says: None, or the status of the error."""
    try:
        ts.kernel(text)
    except ts.TesseraError as error:
        return error.status
    return None


names = {"RESULT": ["C", "y"], "OPERAND": ["A", "B", "x", "M"], "INDEX": ["i", "j", "k"]}


class Writer:
    """Random texts of the grammar; deep ones are cut by the way with the fewest rules."""

    def __init__(self, rng):
        self.rng, self.seen = rng, collections.Counter()

    def write(self, tree, depth):
        kind, of = tree
        rng = self.rng
        if kind == "is":
            return [of]
        if kind == "seq":
            return [t for x in of for t in self.write(x, depth)]
        if kind == "or":
            rare = min(range(len(of)), key=lambda k: self.seen[id(of), k])
            words = all(x[1][0][0] == "is" for x in of)
            way = 0 if depth <= 0 and not words else rare if rng.random() < 0.4 else rng.randrange(len(of))
            self.seen[id(of), way] += 1
            return self.write(of[way], depth)
        if kind in ("many", "maybe"):
            n = rng.choice([0, 0, 1, 1, 2]) if depth > 0 else 0
            return [t for _ in range(min(n, 1) if kind == "maybe" else n) for t in self.write(of, depth - 1)]
        if of in names and rng.random() < 0.95:
            return [rng.choice(names[of])]
        if of == "NAME":
            return [rng.choice(["T", "q", "_1", "where", "top"])]
        if of == "NUMBER":
            return [rng.choice(["0", "1", "2", "10", ".5", "1.", "2.5e-3", "7E+2"])]
        return self.write(GRAMMAR.rules[of], depth - 1)


def spaced(tokens, rng):
    """The tokens as a text; blanks stand between names, and between signs that would be another one."""
    text = ""
    for token in tokens:
        joined = text and (re.match(r"\w|\.", token) and re.match(r"\w|\.", text[-1]) or text[-1] in "+*|<>=!&" or token[0] in "=+-|&!")
        text += (rng.choice([" ", "\n", "  "]) if joined or rng.random() < 0.2 else "") + token
    return text


def test_sentences_are_well_formed():
    """What the grammar makes has no syntax error, and each part of the grammar is drawn."""
    rng = random.Random(1)
    writer = Writer(rng)
    while sum(writer.seen.values()) < 100000:
        tokens = writer.write(("rule", "program"), rng.randint(4, 18))
        text = spaced(tokens, rng)
        if len(tokens) > 80:
            continue
        assert is_sentence(text), text
        status = refusal(text)
        assert status != "SYNTAX", "%s: %s" % (text, pytest.raises(ts.TesseraError, ts.kernel, text).value)
    ways = {(id(x[1]), k) for x in trees() if x[0] == "or" for k in range(len(x[1]))}
    assert set(writer.seen) >= ways, "%d of %d ways are never drawn" % (len(ways - set(writer.seen)), len(ways))


def trees():
    todo = list(GRAMMAR.rules.values())
    for tree in todo:
        if tree[0] in ("or", "seq"):
            todo.extend(tree[1])
        elif tree[0] in ("many", "maybe"):
            todo.append(tree[1])
    return todo


def texts_of_pages():
    found = []
    for folder, _, files in os.walk(os.path.join(SOURCE, "docs")):
        for file in sorted(files):
            if file.endswith(".md"):
                page = open(os.path.join(folder, file), encoding="utf-8").read()
                found += re.findall(r"tkern (?:--grad=\S+ )?'([^']*=[^']*)'", page) + re.findall(r'(?:kernel|grad)\("([^"]*=[^"]*)"', page)
    return sorted(set(found))


def test_texts_of_the_pages():
    """The parser takes nothing else: what it takes of the texts in the documentation is a sentence, and what has a syntax error is none."""
    texts = texts_of_pages()
    assert len(texts) > 80
    for text in texts:
        assert is_sentence(text) == (refusal(text) != "SYNTAX"), text


def test_broken_texts():
    """The same texts with tokens that are left out, doubled, exchanged or replaced."""
    rng, broken = random.Random(2), 0
    texts = [tokens_of(text) for text in texts_of_pages() if is_sentence(text)]
    signs = sorted({t for text in texts for t in text})
    for _ in range(3000):
        tokens = list(rng.choice(texts))
        for _ in range(rng.choice([1, 1, 2])):
            at, way = rng.randrange(len(tokens)), rng.randrange(4)
            if way == 0:
                del tokens[at]
            elif way == 1:
                tokens.insert(at, rng.choice(tokens))
            elif way == 2:
                tokens[at] = rng.choice(signs)
            else:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            tokens = tokens or ["x"]
        text = spaced(tokens, rng)
        status = refusal(text)
        assert (status is None) <= is_sentence(text), "%s is taken, and the grammar does not make it" % text
        assert (status == "SYNTAX") <= (not is_sentence(text)), "%s: the grammar makes it, and the parser has a syntax error" % text
        broken += status is not None
    assert broken > 1500
