"""Writes what Pygments makes of samples, for compare.ts: one line of JSON for each.

    python scripts/highlighting/samples.py FOLDER > samples.jsonl

FOLDER has a folder for each language, named by one of its words, with files of code; files of Pygments' own tests
(tests/examplefiles and tests/snippets of its source distribution) are understood.
"""

import json
import re
import sys
from pathlib import Path

from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from generate import class_of

# More is not highlighted.
LONGEST = 10_000


def code_in(file):
    text = file.read_text(encoding="utf8").replace("\r\n", "\n").replace("\r", "\n")
    snippet = re.search(r"---input---\n(.*?)\n?---tokens---", text, re.DOTALL)
    code = snippet[1] if snippet else text
    return code if len(code) < LONGEST else code[: code.rfind("\n", 0, LONGEST)]


def main(folder):
    for directory in sorted(path for path in folder.iterdir() if path.is_dir()):
        try:
            lexer = get_lexer_by_name(directory.name)
        except ClassNotFound:
            continue
        for file in sorted(directory.iterdir()):
            if file.suffix == ".output" or not file.is_file():
                continue
            try:
                code = code_in(file).strip("\n") + "\n"
            except UnicodeDecodeError:
                continue
            tokens = [(class_of(token), text) for _, token, text in lexer.get_tokens_unprocessed(code)]
            # What Pygments loses stays plain with us, so there is nothing to compare.
            if "".join(text for _, text in tokens) == code:
                print(json.dumps({"word": directory.name, "file": file.name, "tokens": tokens}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
