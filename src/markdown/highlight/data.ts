import { type Lexer, words } from './lexer.ts'

// Data, configuration and queries.

export const json: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/\/\/[^\n]*/, 'c1'],
    [/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/, 'cm'],
    [/"(?:\\[\s\S]|[^"\\])*"(?=\s*:)/, 'nt'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's2'],
    [/-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/, 'mf'],
    [/-?\d+/, 'mi'],
    [/[tfn][truefalsn]*/, 'kc'],
    [/[[\]{},:]/, 'p'],
  ],
}

export const yaml: Lexer = {
  root: [
    [/(?<![^\n])(?:---|\.\.\.)(?=\n)/, 'p p-Indicator'],
    [/[ ]+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/[-?](?= |\n)/, 'p p-Indicator'],
    [
      /("(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s#:'"[\]{},&*!|>%@`-][^\n:#]*?)([ ]*)(:)(?=\s)/,
      ['nt', 'w', 'p'],
      'value',
    ],
    [/[&][\w-]+/, 'nl'],
    [/[*][\w-]+/, 'nv'],
    [/[[\]{},]/, 'p p-Indicator'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/'[^']*'/, 's'],
    [/[^\s[\]{},&*!|>%@`][^\n]*(?:\n(?!\n|[^\n]*:(?:\s)|- )[^\n]+)*/, 'l l-Scalar l-Scalar-Plain'],
  ],
  value: [
    [/(?=\n)/, '', 'back'],
    [/[ ]+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/[|>][-+\d]*/, 'p p-Indicator'],
    [/[&][\w-]+/, 'nl'],
    [/[*][\w-]+/, 'nv'],
    [/![\w!/-]*/, 'kt'],
    [/"(?:\\[\s\S]|[^"\\])*"|'[^']*'/, 's'],
    [/[[\]{},]/, 'p p-Indicator'],
    [/(?:[^\s#[\]{},]|(?<=\S)#)+(?:[ ]+(?:[^\s#[\]{},]|(?<=\S)#)+)*/, 'l l-Scalar l-Scalar-Plain'],
  ],
}

export const toml: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/(?<![^\n])\[\[?[^\]\n]*\]\]?/, 'k'],
    [/"""[\s\S]*?"""|"(?:\\[\s\S]|[^"\\\n])*"/, 's2'],
    [/'''[\s\S]*?'''|'[^'\n]*'/, 's1'],
    [/(?:true|false)\b/, 'kc'],
    [/\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?)?/, 'ld'],
    [/[+-]?\d[\d_]*\.\d[\d_]*/, 'mf'],
    [/[+-]?\d[\d_]*/, 'mi'],
    [/[A-Za-z][\w-]*/, 'n'],
    [/(=)(\s*)(\{)/, ['o', 'w', 'p'], 'inline'],
    [/=/, 'o'],
    [/[[\],.]/, 'p'],
  ],
  inline: [
    [/\}/, 'p', 'back'],
    [/[ \t]+/, 'w'],
    [/"(?:\\[\s\S]|[^"\\\n])*"/, 's2'],
    [/'[^'\n]*'/, 's1'],
    [/(?:true|false)\b/, 'kc'],
    [/[+-]?\d[\d_]*/, 'mi'],
    [/[A-Za-z][\w-]*/, 'n'],
    [/=/, 'o'],
    [/[[\],.{]/, 'p'],
  ],
}

export const ini: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/[;#][^\n]*/, 'c1'],
    [/\[[^\]\n]*\]/, 'k'],
    [/([^\n=:[;#]*[^\n=:[;#\s])([ \t]*)([=:])([ \t]*)([^\n]*)/, ['na', 'w', 'o', 'w', 's']],
    [/[^\n]+/, 'na'],
  ],
}

export const diff: Lexer = {
  root: [
    [/ [^\n]*/, ''],
    [/\+[^\n]*/, 'gi'],
    [/-[^\n]*/, 'gd'],
    [/![^\n]*/, 'gs'],
    [/@[^\n]*/, 'gu'],
    [/(?:[Ii]ndex|diff)[^\n]*/, 'gh'],
    [/=[^\n]*/, 'gh'],
    [/[^\n]+/, ''],
  ],
}

export const graphql: Lexer = {
  root: [
    [/#[^\n]*/, 'c'],
    [/[\s,]+/, 'w'],
    [/(query|mutation|subscription)(\s+)(\w+)(\s*)(\()/, ['k', 'w', 'nf', 'w', 'p'], 'arguments'],
    [/[A-Z]\w*/, 'nc'],
    [
      /[a-z_]\w*/,
      words(
        {
          k: 'directive enum extend fragment implements input interface mutation on query scalar schema subscription type union',
        },
        'err',
      ),
    ],
    [/\d+/, 'err'],
    [/\$\w+/, 'nv'],
    [/@\w+/, 'nd'],
    [/\{/, 'p', 'selection'],
    [/=/, (_, before) => (before[0] === 'nc' ? 'p' : 'err')],
    [/[|!:[\]&]/, 'p'],
    [/"""[\s\S]*?"""/, 's'],
  ],
  selection: [
    [/#[^\n]*/, 'c'],
    [/[\s,]+/, 'w'],
    [/\.{3}/, 'p'],
    [/on\b/, 'k'],
    [/\{/, 'p', 'selection'],
    [/\}/, 'p', 'back'],
    [/\(/, 'p', 'arguments'],
    [/[A-Za-z_]\w*/, 'n'],
    [/[:!=|[\]]/, 'p'],
    [/@\w+/, 'nd'],
    [/\$\w+/, 'nv'],
  ],
  arguments: [
    [/[\s,]+/, 'w'],
    [/"(?:\\[\s\S]|[^"\\\n])*"/, 's'],
    [/-?\d+\.\d+/, 'mf'],
    [/-?\d+/, 'mi'],
    [/(?:true|false|null)\b/, 'kc'],
    [/\$\w+/, 'nv'],
    [/[A-Za-z_]\w*(?=\s*:)/, 'n'],
    [/[A-Za-z_]\w*/, 'nc'],
    [/\)/, 'p', 'back'],
    [/[:=!{}[\]]/, 'p'],
  ],
}

const sqlKeywords =
  'abort action add after all alter analyze and any as asc before begin between both by c call count cascade case cast character check collate column commit constraint create cross current current_date current_time current_timestamp cursor database declare default delete desc distinct do drop each else end escape except exec execute exists explain false fetch first for foreign from full function g grant group having if ilike immediate in index inner insert intersect into is join k key language last leading left like limit lock m match natural not null nulls of offset on only or order outer over partition plpgsql prepare primary procedure public recursive references replace return returning returns revoke right rollback row rows savepoint schema select sequence set some start table temp temporary then to transaction trigger true truncate union unique update using values view when where while window with work'
const sqlTypes =
  'array bigint binary bit blob boolean char date dec decimal float int integer interval jsonb number numeric real serial smallint varchar varying int8 serial8 text timestamp uuid'

export const sql: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/--[^\n]*/, 'c1'],
    [/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/, 'cm'],
    [/'(?:''|[^'])*'/, 's1'],
    [/"(?:""|[^"])*"/, 'ss'],
    [/\d+/, 'mi'],
    [/[A-Za-z_][\w$]*/, words({ k: sqlKeywords, nb: sqlTypes }, 'n', true)],
    [/[-+*/<>=~!@#%^&|`?]+/, 'o'],
    [/[;:()[\],.]/, 'p'],
  ],
}

export const nginx: Lexer = {
  root: [
    [/(include)(\s+)([^\s;]+)/, ['k', 'w', 'n']],
    [/\}/, 'p'],
    [/#[^\n]*/, 'c1'],
    [/\s+/, 'w'],
    [/[^\s;{}#$]+/, 'k', 'statement'],
  ],
  block: [
    [/\}/, 'p', 'back'],
    [/#[^\n]*/, 'c1'],
    [/\s+/, 'w'],
    [/[^\s;{}#]+/, 'kn', 'statement'],
  ],
  statement: [
    [/;/, 'p', 'back'],
    [/(?<=\})/, '', 'back'],
    [/\{/, 'p', 'block'],
    [/\}/, 'p', 'back'],
    [/#[^\n]*/, 'c1'],
    [/\s+/, 'w'],
    [/on\b|off\b/, 'kc'],
    [/\$[\w-]+/, 'nv'],
    [/\d+[kmgs]?(?=[\s;])/, 'mi'],
    [/[=~^!]+/, 'p'],
    [/[^\s;#{}$=~]+/, 's'],
  ],
}

export const assembler: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/[#;][^\n]*/, 'c1'],
    [/(?<![.\w$@])[.\w$@]{1,80}:/, 'nl'],
    [/\.[\w.]+/, 'na', 'arguments'],
    [/[\w.$]+/, 'nf', 'arguments'],
  ],
  arguments: [
    [/(?=\n)/, '', 'back'],
    [/[#;][^\n]*/, 'c1'],
    [/[ \t]+/, 'w'],
    [/%[\w]+/, 'nv'],
    [/\$0x[\da-fA-F]+|0x[\da-fA-F]+/, 'mh'],
    [/\$-?\d+/, 'no'],
    [/-?\d+/, 'mi'],
    [/[A-Za-z_.$][\w.$@]*/, 'no'],
    [/[-*,.()[\]!:{}]+/, 'p'],
  ],
}
