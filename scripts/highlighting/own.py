"""Lexers of our own, where those of Pygments are programs. They give the same tokens for what is usual."""

from pygments.lexer import RegexLexer, bygroups, inherit
from pygments.lexers.make import BaseMakefileLexer
from pygments.token import Comment, Keyword, Literal, Name, Number, Punctuation, String, Whitespace

_INDICATOR = Punctuation.Indicator
_PLAIN = Literal.Scalar.Plain


class Json(RegexLexer):
    tokens = {
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r"/\*(?:[^*]|\*(?!/))*(?:\*/)?", Comment.Multiline),
            (r'"(?:\\[^\n]|[^"\\])*+"(?=\s*:)', Name.Tag),
            (r'"(?:\\[^\n]|[^"\\])*+"', String.Double),
            (r"-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)", Number.Float),
            (r"-?\d+", Number.Integer),
            (r"[tfn][truefalsn]*", Keyword.Constant),
            (r"[\[\]{},:]+", Punctuation),
        ]
    }


class Yaml(RegexLexer):
    tokens = {
        "root": [
            (r"(?<![^\n])(?:---|\.\.\.)(?=\s)", Name.Namespace),
            (r"(?<![^\n])(%\w+)([^\n]*)", bygroups(Name.Tag, Keyword.Type)),
            (r"[ ]+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"[-?](?= |\n)", _INDICATOR),
            (
                r"(\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|[^\s#:'\"\[\]{},&*!|>%@`-][^\n:#]*?)([ ]*)(:)(?=\s)",
                bygroups(Name.Tag, Whitespace, Punctuation),
                "value",
            ),
            (r"&[\w-]+", Name.Label),
            (r"\*[\w-]+", Name.Variable),
            (r"![\w!/:.-]*", Keyword.Type),
            (r"[|>][-+\d]*(?=\n)", _INDICATOR),
            (r"[\[{]", _INDICATOR, "flow"),
            (r"[\]},:]", _INDICATOR),
            (r"\"(?:\\[^\n]|[^\"\\])*\"", String),
            (r"'[^']*'", String),
            (r"[^\s\[\]{},&*!|>%@`][^\n]*(?:\n(?!\n|[^\n]*:\s|[ ]*[-?] |---|\.\.\.)[^\n]+)*", _PLAIN),
        ],
        "value": [
            (r"(?=\n)", Whitespace, "#pop"),
            (r"[ ]+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"[|>][-+\d]*", _INDICATOR),
            (r"&[\w-]+", Name.Label),
            (r"\*[\w-]+", Name.Variable),
            (r"![\w!/-]*", Keyword.Type),
            (r"\"(?:\\[^\n]|[^\"\\])*\"|'[^']*'", String),
            (r"[\[{]", _INDICATOR, "flow"),
            (r"[\]},]", _INDICATOR),
            (r"(?:[^\s#\[\]{},]|(?<=\S)#)+(?:[ ]+(?:[^\s#\[\]{},]|(?<=\S)#)+)*", _PLAIN),
        ],
        # Within brackets and braces.
        "flow": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"[\]}]", _INDICATOR, "#pop"),
            (r"[\[{]", _INDICATOR, "#push"),
            (r"[,?]", _INDICATOR),
            (r"([^\s:,\[\]{}#&*!'\"][^:,\[\]{}\n#]*)(:)(?=\s)", bygroups(Name.Tag, Punctuation)),
            (r":", _INDICATOR),
            (r"&[\w-]+", Name.Label),
            (r"\*[\w-]+", Name.Variable),
            (r"![\w!/:.-]*", Keyword.Type),
            (r"\"(?:\\[^\n]|[^\"\\])*\"|'[^']*'", String),
            (r"[^\s,\[\]{}:]+(?:[ ]+[^\s,\[\]{}:]+)*", Name.Variable),
        ],
    }


_special = r"\.\s*(?:include|undef|error|warning|if|else|elif|endif|for|endfor)"
_special += r"|[ \t]*(?:ifn?eq|ifn?def|else|endif|-?include|define|endef|:|vpath|if)"
_lines = [
    (rf"^(?:{_special})(?=\s)(?:[^\n\\]|\\\n|\\)*\n", Comment.Preproc),
    (r"^[ \t]*@?#[^\n]*\n", Comment),
]


class Makefile(BaseMakefileLexer):
    tokens = {state: [*_lines, inherit] for state in ("root", "block-header")}


# By the id of the lexer of Pygments that each is instead of.
OWN = {
    "json": Json,
    "jsonbareobject": Json,
    "jsonld": Json,
    "makefile": Makefile,
    "yaml": Yaml,
}
