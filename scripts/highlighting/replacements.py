"""What some lexers of Pygments do in Python code, said as data."""

from pygments.lexer import bygroups, this, using
from pygments.token import Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

# Whose get_tokens_unprocessed changes nothing.
unchanged = {"RegexLexer", "ExtendedRegexLexer", "TypstLexer", "PostgresBase"}


class NamedBy:
    """The language whose name is in another group; a kind of token if it is unknown."""

    def __init__(self, group, otherwise):
        self.group = group
        self.otherwise = otherwise


def renamed(sources, words, target):
    """Tokens of these kinds become another where they are one of the words."""
    return {"from": sources, "words": set(words), "to": target}


def _c_family(lexer):
    words = lexer.stdlib_types | lexer.c99_types | lexer.linux_types
    return [renamed([Name], words, Keyword.Type)]


def _cocoa(lexer):
    from pygments.lexers._cocoa_builtins import COCOA_INTERFACES, COCOA_PRIMITIVES, COCOA_PROTOCOLS

    words = COCOA_INTERFACES | COCOA_PROTOCOLS | COCOA_PRIMITIVES
    return [renamed([Name, Name.Class], words, Name.Builtin.Pseudo)]


def _cuda(lexer):
    return [
        *_c_family(lexer),
        renamed([Name], lexer.variable_qualifiers | lexer.vector_types, Keyword.Type),
        renamed([Name], lexer.variables, Name.Builtin),
        renamed([Name], lexer.execution_confs, Keyword.Pseudo),
        renamed([Name], lexer.function_qualifiers, Keyword.Reserved),
        renamed([Name], lexer.functions, Name.Function),
    ]


def _common_lisp(lexer):
    return [
        renamed([Name.Variable], lexer.builtin_function, Name.Builtin),
        renamed([Name.Variable], lexer.special_forms, Keyword),
        renamed([Name.Variable], lexer.macros, Name.Builtin),
        renamed([Name.Variable], lexer.lambda_list_keywords, Keyword),
        renamed([Name.Variable], lexer.declarations, Keyword),
        renamed([Name.Variable], lexer.builtin_types, Keyword.Type),
        renamed([Name.Variable], lexer.builtin_classes, Name.Class),
    ]


def _emacs_lisp(lexer):
    return [
        renamed([Name.Variable], lexer.builtin_function, Name.Function),
        renamed([Name.Variable], lexer.special_forms, Keyword),
        renamed([Name.Variable], lexer.error_keywords, Name.Exception),
        renamed([Name.Variable], lexer.builtin_function_highlighted, Name.Builtin),
        renamed([Name.Variable], lexer.macros, Name.Builtin),
        renamed([Name.Variable], lexer.lambda_list_keywords, Keyword.Pseudo),
    ]


def _elixir(lexer):
    return [
        renamed([Name], lexer.KEYWORD, Keyword),
        renamed([Name], lexer.KEYWORD_OPERATOR, Operator.Word),
        renamed([Name], lexer.BUILTIN, Keyword),
        renamed([Name], lexer.BUILTIN_DECLARATION, Keyword.Declaration),
        renamed([Name], lexer.BUILTIN_NAMESPACE, Keyword.Namespace),
        renamed([Name], lexer.CONSTANT, Name.Constant),
        renamed([Name], lexer.PSEUDO_VAR, Name.Builtin.Pseudo),
    ]


def _asymptote(lexer):
    from pygments.lexers._asy_builtins import ASYFUNCNAME, ASYVARNAME

    return [renamed([Name], ASYFUNCNAME, Name.Function), renamed([Name], ASYVARNAME, Name.Variable)]


def _scheme(lexer):
    from pygments.lexers._scheme_builtins import scheme_builtins, scheme_keywords

    sources = [Name.Function, Name.Variable]
    return [renamed(sources, scheme_keywords, Keyword), renamed(sources, scheme_builtins, Name.Builtin)]


# By the class that defines get_tokens_unprocessed; the first that fits counts.
OTHER_TOKENS = {
    "CFamilyLexer": _c_family,
    "objective": lambda lexer: [*_c_family(lexer), *_cocoa(lexer)],
    "SwiftLexer": _cocoa,
    "CudaLexer": _cuda,
    "CommonLispLexer": _common_lisp,
    "EmacsLispLexer": _emacs_lisp,
    "ElixirLexer": _elixir,
    "AsymptoteLexer": _asymptote,
    "SchemeLexer": _scheme,
    "PhpLexer": lambda lexer: [renamed([Name.Other], lexer._functions, Name.Builtin)],
    "NumPyLexer": lambda lexer: [renamed([Name], lexer.EXTRA_KEYWORDS, Keyword.Pseudo)],
    "CryptolLexer": lambda lexer: [renamed([Name], lexer.EXTRA_KEYWORDS, Name.Builtin)],
    "LuaLexer": lambda lexer: [{**renamed([Name.Builtin], lexer._functions, Name), "unless": True}],
}

# By what Python calls the function.
ACTIONS = {
    "SchemeLexer.decimal_cb": Number.Integer,
}

def _interpolated(token, kind):
    return bygroups(token, None, using(this, state=(f"interpolated-{kind}",)), token)


_BODY = r"((?:[^\n]*\n)*?)([ \t]*\3[ \t]*\n)"
_HEREDOC = r"(?<!\w)(<<[-~]?)([\"`\']?)([a-zA-Z_]\w*)(\2)([^\n]*\n)" + _BODY
_CRYSTAL_HEREDOC = r"(?<!\w)(<<-?)([\"`\']?)([a-zA-Z_]\w*)(\2)([^\n]*\n)" + _BODY
_HEREDOC_ACTIONS = bygroups(
    Operator, String.Heredoc, String.Delimiter, String.Heredoc, using(this), String.Heredoc, String.Delimiter
)

# Rules with another pattern and action, by what Python calls the function.
RULES = {
    "TerraformLexer.heredoc_callback": (
        r"(<<-?)(\s*)([a-zA-Z_]\w*)([^\n]*\n)((?:[^\n]*\n)*?)([ \t]*\3[ \t]*)$",
        bygroups(Operator, Text, String.Delimiter, String.Heredoc, String.Heredoc, String.Delimiter),
    ),
    "RubyLexer.heredoc_callback": (_HEREDOC, _HEREDOC_ACTIONS),
    "RubyLexer.gen_rubystrings_rules.<locals>.intp_regex_callback": (None, _interpolated(String.Regex, "regex")),
    "RubyLexer.gen_rubystrings_rules.<locals>.intp_string_callback": (None, _interpolated(String.Other, "string")),
    "CrystalLexer.heredoc_callback": (_CRYSTAL_HEREDOC, _HEREDOC_ACTIONS),
    "MarkdownLexer._handle_codeblock": (
        None,
        bygroups(
            String.Backtick, String.Backtick, None, Whitespace, Text, Whitespace,
            NamedBy(2, String), None, String.Backtick,
        ),  # fmt: skip
    ),
    "RstLexer._handle_sourcecode": (
        None,
        bygroups(Punctuation, Text, Operator.Word, Punctuation, Text, Keyword, Text),
    ),
    "language_callback": (
        None,
        bygroups(String, String.Delimiter, String, String, String, String.Delimiter, String),
    ),
}

# What shells say and are told (src/markdown/highlight/session.ts), by the ids of the lexers.
SESSIONS = {
    "bashsession": "console",
    "msdossession": "doscon",
    "powershellsession": "ps1con",
    "tcshsession": "tcshcon",
}

LEFT_OUT = {}
