import { type ClassOf, type Lexer, type LexRule, words } from './lexer.ts'

// Languages of scripts, with `#` for comments.

const pythonKeywords = {
  k: 'as assert async await break continue del elif else except finally for from global if lambda nonlocal pass raise return try while with yield',
  kc: 'True False None',
  ow: 'and in is not or',
  nb: 'abs aiter all any anext ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__',
  bp: 'self cls Ellipsis NotImplemented',
  ne: 'ArithmeticError AssertionError AttributeError BaseException EOFError Exception FileExistsError FileNotFoundError ImportError IndexError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning ZeroDivisionError',
}

const pythonRoot: LexRule[] = [
  [/\s+/, ''],
  [/#[^\n]*/, 'c1'],
  [/([rRbBuU]{0,2})("""(?:[^\\]|\\[\s\S])*?""")/, ['sa', docOr('s2')]],
  [/([rRbBuU]{0,2})('''(?:[^\\]|\\[\s\S])*?''')/, ['sa', docOr('s1')]],
  [/([fF][rR]?|[rR][fF])(""")/, ['sa', 's2'], 'long'],
  [/([fF][rR]?|[rR][fF])(")/, ['sa', 's2'], 'double'],
  [/([fF][rR]?|[rR][fF])(')/, ['sa', 's1'], 'single'],
  [/([rRbBuU]{0,2})("(?:\\[\s\S]|[^"\\\n])*")/, ['sa', 's2']],
  [/([rRbBuU]{0,2})('(?:\\[\s\S]|[^'\\\n])*')/, ['sa', 's1']],
  [/(def)(\s+)([\p{L}_][\p{L}\p{N}_]*)/u, ['k', 'w', (name) => (/^__\w+__$/.test(name) ? 'fm' : 'nf')]],
  [/(class)(\s+)([\p{L}_][\p{L}\p{N}_]*)/u, ['k', 'w', 'nc']],
  [/(from)(\s+)([\p{L}\p{N}_.]+)(\s+)(import)\b/u, ['kn', 'w', 'nn', 'w', 'kn']],
  [/(import)(\s+)([\p{L}\p{N}_.]+)/u, ['kn', 'w', 'nn']],
  [/@[\p{L}_][\p{L}\p{N}_.]*/u, 'nd'],
  [/(?:\d[\d_]*\.\d[\d_]*|\d+\.|\.\d+)(?:[eE][+-]?\d+)?j?|\d+[eE][+-]?\d+/, 'mf'],
  [/0[xX][\da-fA-F_]+/, 'mh'],
  [/0[bB][01_]+/, 'mb'],
  [/0[oO][0-7_]+/, 'mo'],
  [/\d[\d_]*j?/, 'mi'],
  [/[\p{L}_][\p{L}\p{N}_]*/u, (text, before) => (before[1] === '.' ? 'n' : pythonWord(text, before))],
  [/!=|==|<<|>>|:=|[-~+/*%=<>&^|.@]/, 'o'],
  [/[\]{}:(),;[]/, 'p'],
]

export const python: Lexer = {
  root: pythonRoot,
  double: formatted('"', 's2'),
  single: formatted("'", 's1'),
  long: formatted('"""', 's2'),
  expression: [[/(?:![sra])?(?::[^{}"'\n]*)?\}/, 'si', 'back'], ...pythonRoot],
}

/** Text with expressions in braces. */
function formatted(quote: string, className: string): LexRule[] {
  return [
    [new RegExp(quote), className, 'back'],
    [/\{\{|\}\}|\\[\s\S]/, 'se'],
    [/\{/, 'si', 'expression'],
    [quote.length > 1 ? /[^\\{}"]+|"/ : /[^\\{}"'\n]+|["']/, className],
  ]
}

/** Text by itself at the beginning of a block says what the block is for. */
function docOr(className: string): ClassOf {
  return (_, before) => (before[1] === '' || before[1].endsWith(':') ? 'sd' : className)
}

function pythonWord(...[text, before]: Parameters<Exclude<ReturnType<typeof words>, string>>): string {
  if (/^__\w+__$/.test(text)) return 'vm'
  return (pythonClasses as Exclude<typeof pythonClasses, string>)(text, before)
}

const pythonClasses = words(pythonKeywords, 'n')

const shellWords = words(
  {
    k: 'if fi else while in do done for then return function case select break continue until esac elif',
    nb: 'alias bg bind builtin caller cd command compgen complete declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset wait',
  },
  '',
)

const shellValues: LexRule[] = [
  [/\$(?:\w+|[@*#?$!-])/, 'nv'],
  [/(\$\{)(\w+)([^}\n]*)(\})/, ['si', 'nv', '', 'si']],
]

const shellStates: Lexer = {
  string: [[/"/, 's2', 'back'], [/\\[\s\S]/, 'se'], ...shellValues, [/[^"\\$]+|\$/, 's2']],
}

const shellCore: LexRule[] = [
  [/(\b\w+)(\s*)(\+?=)/, ['nv', 'w', 'o']],
  [/[-[\]{}()]|=+/, (text) => (text === '-' ? '' : 'o')],
  [/"/, 's2', 'string'],
  [/'[^']*'/, 's1'],
  ...shellValues,
  [/\$\(\(?/, 'k'],
  [/`/, 'sb'],
  [/&&|\|\|/, 'o'],
  [/;|&|\|/, 'p'],
  [/[ \t\n]+/, 'w'],
  [/\d+(?=[ \n])/, 'm'],
  [/[A-Za-z_]\w*(?![\w=.-])/, shellWords],
  [/\\[\s\S]/, 'se'],
  [/[^=\s[\]{}()$"'`\\<&|;]+/, ''],
  [/[<>]/, ''],
]

export const bash: Lexer = { ...shellStates, root: [[/#!\/[^\n]*/, 'ch'], [/#[^\n]*/, 'c1'], ...shellCore] }

/** A session: lines with a prompt are commands, others are what they answered. */
export const console: Lexer = {
  root: [
    [/(?<![^\n])(?:[^\n$#%]{0,60}[$#%]|>) ?/, 'gp', 'command'],
    [/[^\n]+/, 'go'],
  ],
  ...shellStates,
  command: [[/(?=\n)/, '', 'back'], ...shellCore],
}

export const docker: Lexer = {
  ...shellStates,
  root: [
    [/#[^\n]*/, 'c'],
    [/(?<![^\n])(FROM)([ \t]+)([^\s]+)/i, ['k', 'w', 's']],
    [
      /(?<![^\n])(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\b/i,
      'k',
    ],
    ...shellCore,
  ],
}

export const makefile: Lexer = {
  root: [
    [/#[^\n]*/, 'c'],
    [/(?<![^\n])\t[^\n]*/, ''],
    [/ {4}[^\n]*/, ''],
    [/(?<![^\n])([\w.%/$() -]{1,200})(:(?!=))/, ['nf', 'o']],
    [/(?<![\w.-])([\w.-]{1,80})(\s*)([+?:!]?:?=)/, ['nv', 'w', 'o']],
    [/\$[({][\w.-]+[)}]|\$[@<^*?%]/, 'nv'],
    [/(?<![^\n])(?:export|include|ifeq|ifneq|ifdef|ifndef|else|endif|define|endef|unexport)\b/, 'k'],
    [/"(?:\\[\s\S]|[^"\\\n])*"/, 's2'],
    [/'(?:\\[\s\S]|[^'\\\n])*'/, 's1'],
    [/\s+/, 'w'],
    [/\d+(?=\s)/, 'm'],
  ],
}

const rubyWords = words(
  {
    k: 'alias begin BEGIN break case defined? do else elsif end END ensure for if in next redo rescue return super then undef unless until when while yield self',
    kc: 'true false nil',
    ow: 'and or not',
    kp: 'attr attr_accessor attr_reader attr_writer extend include private protected public require',
    nb: 'puts print p raise loop lambda proc format gets exit rand sleep',
  },
  (text) => (/^[A-Z]/.test(text) ? 'no' : 'n'),
)

export const ruby: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's2'],
    [/'(?:\\[\s\S]|[^'\\])*'/, 's1'],
    [/(?<=[(,=~!|&?:;\n{}]\s*|^\s*)\/(?:\\.|[^/\\\n])*\/[a-z]*/, 'sr'],
    [/:[a-zA-Z_]\w*[?!]?/, 'ss'],
    [/(def)(\s+)((?:self\.)?[\w?!=]+)/, ['k', 'w', 'nf']],
    [/(class)(\s+)([A-Z][\w:]*)/, ['k', 'w', 'nc']],
    [/(module)(\s+)([A-Z][\w:]*)/, ['k', 'w', 'nn']],
    [/@@\w+/, 'vc'],
    [/@\w+/, 'vi'],
    [/\$\w+/, 'vg'],
    [/\d[\d_]*\.\d+/, 'mf'],
    [/\d[\d_]*/, 'mi'],
    [/[A-Za-z_]\w*[?!]?/, rubyWords],
    [/[-+*/%=<>!&|^~?:.]+/, 'o'],
    [/[()[\]{};,]/, 'p'],
  ],
}

export const perl: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/'(?:\\[\s\S]|[^'\\])*'/, 's'],
    [/[$@%]#?[\w:]+|\$[^\w\s]/, 'nv'],
    [/(sub)(\s+)(\w+)/, ['k', 'w', 'nf']],
    [/(?:m|qr)?\/(?:\\.|[^/\\\n])*\/[a-z]*/, 'sr'],
    [/\d+\.\d+/, 'mf'],
    [/\d+/, 'mi'],
    [
      /[A-Za-z_][\w:]*/,
      words(
        {
          k: 'case continue do else elsif for foreach if last my next our redo reset return then unless until while use print new BEGIN CHECK INIT END local package require no sub',
          ow: 'and cmp eq ge gt le lt ne not or xor',
          nb: 'abs bless chomp chop chr close defined delete die each exists exit grep hex index int join keys lc length map open pop printf push ref reverse scalar shift sort splice split sprintf substr uc undef unshift values warn',
        },
        'n',
      ),
    ],
    [/[-+*/%=<>!&|^~?:.\\]+/, 'o'],
    [/[()[\]{};,]/, 'p'],
  ],
}

export const elixir: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/"""[\s\S]*?"""|"(?:\\[\s\S]|[^"\\])*"/, 's2'],
    [/'(?:\\[\s\S]|[^'\\])*'/, 'sc'],
    [/[a-z_]\w*[?!]?:(?= )/, 'ss'],
    [/:(?:[a-zA-Z_]\w*[?!]?|"[^"\n]*")/, 'ss'],
    [/@\w+/, 'na'],
    [/\d[\d_]*\.\d+/, 'mf'],
    [/\d[\d_]*/, 'mi'],
    [/[A-Z]\w*(?:\.[A-Z]\w*)*/, 'nc'],
    [
      /[a-z_]\w*[?!]?/,
      words(
        {
          k: 'after case catch cond do else end fn for if quote raise receive rescue super throw try unless unquote with',
          kd: 'def defdelegate defexception defguard defimpl defmacro defmodule defp defprotocol defstruct',
          kn: 'alias import require use',
          nc: 'true false nil',
          ow: 'and in not or when',
        },
        'n',
      ),
    ],
    [/[-+*/%=<>!&|^~?:.\\]+/, 'o'],
    [/[()[\]{};,]/, 'p'],
  ],
}
