"""Python's regular expressions, parsed by Python itself, as the trees that src/markdown/highlight/program.ts compiles.

    "abc"                       these characters
    ["s", 3]                    a character of the set with this number
    [",", a, b]                 one after the other
    ["|", a, b]                 the first that fits
    ["(", 1, a]                 a, as the group with this number
    ["*", 0, -1, "g", a]        a repeated that often; as many as fit (g), as few (l), or without going back (p)
    ["?=", a] ["?!", a]         what follows is, or is not, a
    ["?<=", a, 2] ["?<!", a, 2] the two characters before are, or are not, a
    ["\\\\", 1]                   what the group has matched; with "i", in whatever case
    ["?(", 1, a, b]             a if the group has matched, else b
    ["@", "b"]                  a place; see PLACES
    ["?>", a]                   a, without going back into it
"""

import re
from re import _constants as c, _parser as parser

PLACES = {
    c.AT_BEGINNING_STRING: "A",
    c.AT_END_STRING: "Z",
    c.AT_BOUNDARY: "b",
    c.AT_NON_BOUNDARY: "B",
}
CATEGORIES = {
    c.CATEGORY_DIGIT: "d",
    c.CATEGORY_NOT_DIGIT: "D",
    c.CATEGORY_SPACE: "s",
    c.CATEGORY_NOT_SPACE: "S",
    c.CATEGORY_WORD: "w",
    c.CATEGORY_NOT_WORD: "W",
}
# Ranges of more characters than this are not searched for letters with another case.
LARGE_RANGE = 5_000


class Untranslatable(Exception):
    pass


class Translator:
    """Translates the patterns of one lexer, whose sets of characters are numbered."""

    def __init__(self):
        self.sets = []
        self._numbers = {}

    def translate(self, pattern, flags, keeps_groups):
        tree = parser.parse(pattern, flags)
        self.references = set()
        self._find_references(tree)
        self.keeps_groups = keeps_groups
        return self._sequence(tree, tree.state.flags | flags)

    def _find_references(self, tree):
        for op, value in tree:
            if op is c.GROUPREF:
                self.references.add(value)
            elif op is c.GROUPREF_EXISTS:
                self.references.add(value[0])
            for part in parts_of(op, value):
                self._find_references(part)

    def _sequence(self, tree, flags):
        nodes = []
        for op, value in tree:
            node = self._node(op, value, flags)
            if node == "" or node is None:
                continue
            if isinstance(node, str) and nodes and isinstance(nodes[-1], str):
                nodes[-1] += node
            else:
                nodes.append(node)
        if not nodes:
            return ""
        return nodes[0] if len(nodes) == 1 else [",", *nodes]

    def _node(self, op, value, flags):
        if op is c.LITERAL:
            return self._literal(value, flags)
        if op is c.NOT_LITERAL:
            return self._set(True, [(c.LITERAL, value)], flags)
        if op is c.ANY:
            return self._numbered((True, "" if flags & re.DOTALL else "\n", (), ""))
        if op is c.IN:
            negated = value[0][0] is c.NEGATE
            return self._set(negated, value[1:] if negated else value, flags)
        if op is c.BRANCH:
            return ["|", *(self._sequence(part, flags) for part in value[1])]
        if op is c.SUBPATTERN:
            group, added, removed, part = value
            node = self._sequence(part, (flags | added) & ~removed)
            keeps = group is not None and (self.keeps_groups or group in self.references)
            return ["(", group, node] if keeps else node
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            least, most, part = value
            kind = {c.MAX_REPEAT: "g", c.MIN_REPEAT: "l", c.POSSESSIVE_REPEAT: "p"}[op]
            most = -1 if most is c.MAXREPEAT else int(most)
            node = self._sequence(part, flags)
            return node if (least, most) == (1, 1) else ["*", int(least), most, kind, node]
        if op is c.ATOMIC_GROUP:
            return ["?>", self._sequence(value, flags)]
        if op is c.AT:
            return self._place(value, flags)
        if op in (c.ASSERT, c.ASSERT_NOT):
            direction, part = value
            sign = "=" if op is c.ASSERT else "!"
            node = self._sequence(part, flags)
            if direction > 0:
                return ["?" + sign, node]
            return ["?<" + sign, node, part.getwidth()[0]]
        if op is c.GROUPREF:
            return ["i" if flags & re.IGNORECASE else "\\", value]
        if op is c.GROUPREF_EXISTS:
            group, yes, no = value
            return ["?(", group, self._sequence(yes, flags), self._sequence(no, flags) if no else ""]
        if op is c.FAILURE:
            return ["|"]
        raise Untranslatable(str(op))

    def _place(self, place, flags):
        if place is c.AT_BEGINNING:
            return ["@", "^" if flags & re.MULTILINE else "A"]
        if place is c.AT_END:
            return ["@", "$" if flags & re.MULTILINE else "z"]
        return ["@", PLACES[place]]

    def _literal(self, code, flags):
        character = chr(code)
        if flags & re.IGNORECASE and len(variants(character)) > 1:
            return self._set(False, [(c.LITERAL, code)], flags)
        return character

    def _set(self, negated, members, flags):
        characters, ranges, categories = set(), [], ""
        for op, value in members:
            if op is c.LITERAL:
                characters.add(chr(value))
            elif op is c.RANGE:
                ranges.append(value)
            elif op is c.CATEGORY:
                categories += CATEGORIES[value]
            else:
                raise Untranslatable(str(op))
        if flags & re.IGNORECASE:
            for low, high in list(ranges):
                if high - low < LARGE_RANGE:
                    for code in range(low, high + 1):
                        characters |= variants(chr(code)) - {chr(code)}
            characters |= {other for one in set(characters) for other in variants(one)}
        return self._numbered((negated, "".join(sorted(characters)), merged(ranges), categories))

    def _numbered(self, described):
        number = self._numbers.get(described)
        if number is None:
            number = self._numbers[described] = len(self.sets)
            negated, characters, ranges, categories = described
            self.sets.append([int(negated), characters, [code for pair in ranges for code in pair], categories])
        return ["s", number]


def parts_of(op, value):
    if op is c.BRANCH:
        return value[1]
    if op is c.SUBPATTERN:
        return [value[3]]
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return [value[2]]
    if op in (c.ASSERT, c.ASSERT_NOT):
        return [value[1]]
    if op is c.ATOMIC_GROUP:
        return [value]
    if op is c.GROUPREF_EXISTS:
        return [part for part in value[1:] if part]
    return []


def merged(ranges):
    """In order, none within another."""
    result = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return tuple(result)


def variants(character):
    """The character in either case, where that is one character."""
    return {one for one in (character, character.lower(), character.upper()) if len(one) == 1}
