"""Writes what the highlighter knows of languages, from the definitions of Pygments (BSD-2-Clause):

    pip install pygments==2.20.0
    python scripts/highlighting/generate.py

Each lexer becomes a file in src/markdown/highlight/lexers, and `index` names all languages. What is Python code in a
lexer cannot be translated; such languages are left out and named at the end, unless replacements.py says
the same as data.
"""

import json
import re
import shutil
from pathlib import Path

import pygments
from pygments import lexer as pygments_lexer
from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, RegexLexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import STANDARD_TYPES, _TokenType

from own import OWN
from patterns import Translator, Untranslatable
from replacements import ACTIONS, LEFT_OUT, OTHER_TOKENS, RULES, SESSIONS, NamedBy, unchanged

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src/markdown/highlight/lexers"
# A language needs more than this only for lists of names of large libraries.
LARGEST = 400_000


def class_of(token):
    """The classes that Pygments gives a token in HTML: its own, after those of what it is a kind of."""
    classes = [own_class_of(token)]
    while token not in STANDARD_TYPES:
        token = token.parent
        classes.insert(0, own_class_of(token))
    return " ".join(classes).strip()


def own_class_of(token):
    name = ""
    while token not in STANDARD_TYPES:
        name = f"-{token[-1]}{name}"
        token = token.parent
    return STANDARD_TYPES[token] + name


def id_of(lexer_class):
    return re.sub(r"Lexer$", "", lexer_class.__name__).lower()


class Generator:
    def __init__(self):
        self.files = {}
        self.refused = {}
        self._waiting = []

    def add(self, lexer_class):
        """The id of a lexer's file; None if it cannot be translated."""
        name = id_of(lexer_class)
        if name in SESSIONS:
            return "=" + SESSIONS[name]
        if name in self.refused:
            return None
        if name in self.files:
            return name
        self.files[name] = None  # it may refer to itself
        try:
            self.files[name] = self._described(OWN.get(name, lexer_class))
            if len(dumped(self.files[name])) > LARGEST:
                raise Untranslatable("too large")
        except Untranslatable as reason:
            del self.files[name]
            self.refused[name] = str(reason)
            return None
        return name

    def _described(self, lexer_class):
        if id_of(lexer_class) in LEFT_OUT:
            raise Untranslatable(LEFT_OUT[id_of(lexer_class)])
        if issubclass(lexer_class, DelegatingLexer):
            return self._delegating(lexer_class)
        if not issubclass(lexer_class, RegexLexer):
            raise Untranslatable("no RegexLexer")
        own = getattr(lexer_class.get_tokens_unprocessed, "__qualname__").split(".")[0]
        if own not in unchanged and own not in OTHER_TOKENS:
            raise Untranslatable(f"{own}.get_tokens_unprocessed")
        if lexer_class.get_tokens is not pygments_lexer.Lexer.get_tokens:
            raise Untranslatable("get_tokens")
        return self._regular(lexer_class(), own)

    def _delegating(self, lexer_class):
        if lexer_class.get_tokens_unprocessed is not DelegatingLexer.get_tokens_unprocessed:
            raise Untranslatable("a delegating lexer of its own kind")
        lexer = lexer_class()
        parts = [self.add(type(part)) for part in (lexer.root_lexer, lexer.language_lexer)]
        if None in parts:
            raise Untranslatable("a part of it")
        return {"around": parts[0], "within": parts[1], "gap": class_of(lexer.needle)}

    def _regular(self, lexer, own):
        translator = Translator()
        rules, numbers, states = [], {}, {}
        for state, definitions in lexer._tokens.items():
            states[state] = []
            for match, action, following in definitions:
                rule = self._rule(lexer, translator, match.__self__, action, following)
                key = dumped(rule)
                if key not in numbers:
                    numbers[key] = len(rules)
                    rules.append(rule)
                states[state].append(numbers[key])
        described = {"sets": translator.sets, "rules": rules, "states": states}
        renamed = OTHER_TOKENS[own](lexer) if own in OTHER_TOKENS else []
        if renamed:
            described["renamed"] = [
                {**one, "from": [class_of(token) for token in one["from"]], "to": class_of(one["to"])}
                | {"words": sorted(one["words"])}
                for one in renamed
            ]
        return described

    def _rule(self, lexer, translator, pattern, action, following):
        if getattr(action, "__qualname__", "") in RULES:
            source, action = RULES[action.__qualname__]
            pattern = re.compile(source, pattern.flags) if source else pattern
        translated = self._action(lexer, action)
        keeps_groups = isinstance(translated, list) and translated[0] == "g"
        tree = translator.translate(pattern.pattern, pattern.flags, keeps_groups)
        rule = [tree, translated]
        if following is not None:
            rule.append(following if isinstance(following, int) else states_of(following))
        return rule

    def _action(self, lexer, action):
        """A class, None, ["g", actions of the groups], ["u", the lexer's file or "", its states], or ["n", the group
        that names the language, what it is if there is none]."""
        if action is None:
            return None
        if type(action) is _TokenType:
            return class_of(action)
        if isinstance(action, NamedBy):
            return ["n", action.group, class_of(action.otherwise)]
        kind = action.__qualname__
        if kind in ACTIONS:
            return self._action(lexer, ACTIONS[kind])
        cells = closure_of(action)
        if kind.startswith("bygroups."):
            return ["g", [self._action(lexer, part) for part in cells["args"]]]
        if kind.startswith("using."):
            states = list(cells["gt_kwargs"].get("stack", ["root"]))
            other = cells.get("_other")
            if other is None:
                return ["u", "", states]
            if cells["kwargs"].get("startinline"):
                states.append("php")
            # The text of a language that is not there stays plain.
            name = self.add(other)
            return "" if name is None else ["u", name, states]
        raise Untranslatable(kind)


def closure_of(function):
    return dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ())))


def states_of(following):
    return ["#push"] if following == "#push" else list(following)


def dumped(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def write(generator, index):
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    license = next(Path(pygments.__file__).parent.parent.glob("[Pp]ygments-*.dist-info/licenses/LICENSE"))
    notice = f"These files are made from the lexers of Pygments {pygments.__version__} by scripts/highlighting/generate.py.\n\n"
    (TARGET / "LICENSE").write_text(notice + license.read_text())
    for name, described in sorted(generator.files.items()):
        (TARGET / f"{name}.lexer").write_text(dumped(described) + "\n")
    lines = ",\n".join(dumped(entry) for entry in index)
    (TARGET / "index.lexer").write_text(f"[\n{lines}\n]\n")


def main():
    generator = Generator()
    index, left_out = [], []
    for name, aliases, _, _ in sorted(get_all_lexers(plugins=False), key=lambda one: one[0].lower()):
        lexer_class = find_lexer_class(name)
        made = generator.add(lexer_class)
        index.append([name, " ".join(alias.lower() for alias in aliases), made or ""])
        if made is None:
            left_out.append(f"{name} ({generator.refused[id_of(lexer_class)]})")
    write(generator, [entry for entry in index if entry[1]])
    print(f"{len(index) - len(left_out)} languages; left out: {', '.join(left_out)}")


if __name__ == "__main__":
    main()
