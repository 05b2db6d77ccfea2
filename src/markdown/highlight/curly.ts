import { type ClassOf, type Lexer, type LexRule, type Token, words } from './lexer.ts'

// Languages with braces, `//` or `#` for comments and names, numbers and strings much alike.

type Curly = {
  lists: Record<string, string>
  name?: ClassOf
  /** The class of the name of a function where it is defined after its type. */
  defined?: string
  /** The class of double and of single quoted text. */
  quoted?: [double: string, single: string]
  integer?: string
  /** Whether what stands after a backslash has a class of its own. */
  escapes?: boolean
  operator?: RegExp
  punctuation?: RegExp
  punctuationClass?: string
  /** Rules that go before all others. */
  first?: LexRule[]
  /** Rules for what is neither name nor number, before operators. */
  more?: LexRule[]
}

export function curly(options: Curly): Lexer {
  const { quoted: [double, single] = ['s', 's'], integer = 'mi' } = options
  const name = options.name ?? 'n'
  const definitions: LexRule[] = options.defined
    ? [[/[\p{L}_$][\p{L}\p{N}_$]*(?=\s*\()/u, words(options.lists, definition(options.defined, name))]]
    : []
  return {
    root: [
      [/\s+/, 'w'],
      ...(options.first ?? []),
      [/\/\/[^\n]*/, 'c1'],
      [/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/, 'cm'],
      ...(options.escapes
        ? [[/"/, double, 'string'] as const]
        : [[/"(?:\\[\s\S]|[^"\\\n])*"/, double] as const]),
      [/'(?:\\[\s\S]|[^'\\\n])*'/, single],
      ...(options.more ?? []),
      [/0[xX][0-9a-fA-F_]+[uUlLn]*/, integer === 'mi' ? 'mh' : integer],
      [/(?:\d[\d_]*\.\d[\d_]*(?:[eE][+-]?\d+)?|\d[\d_]*[eE][+-]?\d+)[fFdD]?/, 'mf'],
      [/\d[\d_]*[uUlLn]*/, integer],
      ...definitions,
      [/[\p{L}_$][\p{L}\p{N}_$]*/u, words(options.lists, name)],
      [options.operator ?? /[-+*/%=<>!&|^~?:@]+/, 'o'],
      [options.punctuation ?? /[()[\]{};,.]/, options.punctuationClass ?? 'p'],
    ],
    string: [
      [/"/, double, 'back'],
      [/\\(?:x[\da-fA-F]+|u[\da-fA-F]{4}|[0-7]{1,3}|[\s\S])/, 'se'],
      [/[^"\\\n]+/, double],
    ],
  }
}

/** A name that follows a type or another name. */
function definition(className: string, otherwise: ClassOf): ClassOf {
  return (text, before: Token) =>
    before[0] === 'kt' || (before[0] === 'n' && /^[\p{L}_$]/u.test(before[1]))
      ? className
      : typeof otherwise === 'string'
        ? otherwise
        : otherwise(text, before)
}

const common = 'break case continue default do else for goto if return switch while'
const cKeywords = `${common} asm auto const enum extern inline register restrict sizeof static struct typedef union volatile`
const cTypes =
  'bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t wchar_t'
const preprocessor: LexRule[] = [
  [/(?<![^\n])(#[ \t]*include)([ \t]+)(<[^>\n]*>|"[^"\n]*")/, ['cp', 'w', 'cpf']],
  [/(?<![^\n])[ \t]*#(?:[^\n\\]|\\[\s\S])*/, 'cp'],
]

export const c = curly({
  lists: { k: cKeywords, kt: cTypes, nb: 'NULL true false' },
  defined: 'nf',
  quoted: ['s', 'sc'],
  escapes: true,
  first: preprocessor,
})

export const cpp = curly({
  lists: {
    k: `${cKeywords} catch class concept constexpr const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept nullptr operator override private protected public reinterpret_cast requires static_assert static_cast template this throw try typeid typename using virtual`,
    kt: `${cTypes} char8_t char16_t char32_t`,
    nb: 'NULL true false',
  },
  defined: 'nf',
  quoted: ['s', 'sc'],
  escapes: true,
  first: preprocessor,
  operator: /::|[-+*/%=<>!&|^~?:]+/,
})

export const csharp = curly({
  lists: {
    k: `${common} abstract as async await base catch checked const delegate event explicit extern finally fixed foreach get implicit in init interface internal is lock new operator out override params partial private protected public readonly record ref required sealed set sizeof stackalloc static this throw try typeof unchecked unsafe value virtual when where with yield`,
    kt: 'bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort var void',
    kc: 'true false null',
    kn: 'namespace using',
  },
  defined: 'nf',
  more: [
    [/[$@]+"(?:""|\\[\s\S]|[^"\\])*"/, 's'],
    [/(class|struct|enum)(\s+)(\w+)/, ['k', 'w', 'nc']],
  ],
})

export const java = curly({
  lists: {
    k: `${common} assert catch finally instanceof new super this throw try yield record`,
    kd: 'abstract const enum exports extends final implements native private protected public sealed static strictfp synchronized throws transient volatile',
    kt: 'boolean byte char double float int long short void',
    kc: 'true false null',
  },
  defined: 'nf',
  more: [
    [/"""[\s\S]*?"""/, 's'],
    [/@\w+/, 'nd'],
    [/(import|package)(\s+)([\w.*]+)/, ['kn', 'w', 'nn']],
    [/(class|interface|enum)(\s+)(\w+)/, ['kd', 'w', 'nc']],
    [/(\.)(\w+)/, ['p', 'na']],
  ],
})

export const groovy = curly({
  lists: {
    k: `${common} as assert catch def finally in instanceof new super this throw try`,
    kd: 'abstract const enum extends final implements native private protected public static synchronized throws transient volatile',
    kt: 'boolean byte char double float int long short void def',
    kc: 'true false null',
  },
  defined: 'nf',
  quoted: ['s2', 's1'],
  punctuationClass: 'o',
  more: [
    [/(import|package)(\s+)([\w.*]+)/, ['kn', 'w', 'nn']],
    [/(class|interface)(\s+)(\w+)/, ['kd', 'w', 'nc']],
    [/@\w+/, 'nd'],
    [/(\.)(\w+)/, ['o', 'na']],
  ],
})

const jsLists = {
  k: 'async await break case catch continue debugger default do else export extends finally for if import of return static super switch this throw try while yield',
  kd: 'class const function let var with',
  ow: 'delete in instanceof new typeof void',
  kc: 'false Infinity NaN null true undefined',
  kr: 'abstract constructor enum from implements interface private protected public',
  nb: 'Array Boolean Date Error Function JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap decodeURI decodeURIComponent document encodeURI encodeURIComponent eval isFinite isNaN parseFloat parseInt window globalThis',
}

const jsRules: LexRule[] = [
  [/`/, 'sb', 'template'],
  [/=>/, 'p'],
  [
    /(?<=[=(,:[!&|?{};\n]\s*|return\s+|^\s*)\/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/,
    'sr',
  ],
  [/0[xX][0-9a-fA-F_]+n?/, 'mh'],
  [/@\w+/, 'nd'],
]

export const javascript = withTemplates(
  curly({
    lists: jsLists,
    name: 'nx',
    quoted: ['s2', 's1'],
    integer: 'mf',
    operator: /\/=?|[-+*%<!&|^~?:]+[=>]*|[=>](?!>)[=>]*|\.{3}/,
    more: jsRules,
  }),
)

export const typescript = withTemplates(
  curly({
    lists: {
      ...jsLists,
      kd: `${jsLists.kd} interface`,
      kr: jsLists.kr.replace('interface ', ''),
      kt: 'any boolean bigint never number object string symbol unknown void',
    },
    name: 'nx',
    quoted: ['s2', 's1'],
    integer: 'mf',
    operator: /\/=?|[-+*%<!&|^~?:]+[=>]*|[=>](?!>)[=>]*|\.{3}/,
    more: jsRules,
  }),
)

const jsxTag: LexRule = [/(<\/?)([A-Za-z][\w.-]*)(\s*)(\/?>)/, ['p', 'nt', 'w', 'p']]

export const jsx: Lexer = { ...javascript, root: [jsxTag, ...javascript.root!] }
export const tsx: Lexer = { ...typescript, root: [jsxTag, ...typescript.root!] }

/** Code within text between backticks. */
function withTemplates(lexer: Lexer): Lexer {
  return {
    ...lexer,
    template: [
      [/`/, 'sb', 'back'],
      [/\\[\s\S]/, 'se'],
      [/\$\{/, 'si', 'expression'],
      [/[^`\\$]+|\$/, 'sb'],
    ],
    expression: [[/\}/, 'si', 'back'], ...lexer.root!],
  }
}
