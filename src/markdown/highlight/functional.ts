import { type Lexer, words } from './lexer.ts'

// Functional languages, Lua, R, Nim and Matlab, each with rules of its own.

export const haskell: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/--[^\n]*/, 'c1'],
    [/\{-(?:[^-]|-(?!\}))*(?:-\})?/, 'cm'],
    [
      /(?<![^\n])[_a-z][\w']*/,
      words(
        {
          kr: 'case class data default deriving do else family foreign if in infix infixl infixr instance let newtype of then type where',
          kn: 'import module',
        },
        'nf',
      ),
    ],
    [/\d+\.\d+(?:[eE][+-]?\d+)?/, 'mf'],
    [/0[xX][\da-fA-F]+/, 'mh'],
    [/\d+/, 'mi'],
    [/[A-Z][\w']*/, 'kt'],
    [
      /[_a-z][\w']*/,
      words(
        {
          kr: 'case class data default deriving do else family foreign if in infix infixl infixr instance let newtype of then type where',
          kn: 'import module',
          ne: 'error',
        },
        'n',
      ),
    ],
    [/'(?:\\[^']+|[^'\\\n])'/, 'sc'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/(?:=|->|<-|::|\\|=>|\||\.\.)(?![-!#$%&*+./<=>?@\\^|~:])/, 'ow'],
    [/[-!#$%&*+./<=>?@\\^|~:]+/, 'o'],
    [/[()[\]{},;`]/, 'p'],
  ],
}

export const erlang: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/%[^\n]*/, 'c1'],
    [/(?<![^\n])-[a-z]\w*/, 'kr'],
    [/[a-z]\w*(?=:)/, 'nn'],
    [
      /[a-z][\w@]*/,
      words(
        {
          k: 'after begin case catch cond end fun if let of query receive try when maybe else',
          ow: 'and andalso band bnot bor bsl bsr bxor div not or orelse rem xor',
        },
        'n',
      ),
    ],
    [/[A-Z_]\w*/, 'nv'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/'(?:\\[\s\S]|[^'\\])*'/, 'n'],
    [/\$(?:\\[\s\S]|[^\\])/, 'sc'],
    [/\d+\.\d+(?:[eE][+-]?\d+)?/, 'mf'],
    [/\d+(?:#[\da-zA-Z]+)?/, 'mi'],
    [/\?[\w]+/, 'no'],
    [/->|<-|=>|=:=|=\/=|==|\/=|=<|>=|\+\+|--|\|\||<<|>>|[-+*/<>!=|:]+/, 'o'],
    [/[()[\]{},;.]/, 'p'],
  ],
}

const lispName = /[^\s()"'`;,#]+/

export const clojure: Lexer = {
  root: [
    [/;[^\n]*/, 'c1'],
    [/[\s,]+/, 'w'],
    [/-?\d+\.\d+/, 'mf'],
    [/-?\d+/, 'mi'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/\\\S+/, 'sc'],
    [/::?[^\s()[\]{}";]+/, 'ss'],
    [/~@|[`'#^~&@]/, 'o'],
    [/(?:\*|\+|-|->|->>|<|<=|=|==|>|>=|\/) /, 'nb'],
    [
      /[^\s()[\]{}"'`;,#&@^~]+/,
      words(
        {
          k: '. def do fn if let new quote var loop recur try catch finally throw',
          kd: 'def- defn defn- defmacro defmulti defmethod defstruct defonce declare definline definterface defprotocol defrecord deftype defproject ns',
          nb: 'and apply assoc atom comp concat conj cons count cycle dec deref dissoc doseq dotimes drop empty? even? every? filter first for get hash-map inc into juxt keys list map mapcat merge nil? not nth odd? or partial partition print println range reduce remove repeat rest reverse second seq set some sort str swap! take update vals vec vector when when-let when-not zero?',
        },
        (_, before) => (before[1] === '(' ? 'nf' : 'nv'),
      ),
    ],
    [/[()[\]{}]/, 'p'],
  ],
}

export const commonLisp: Lexer = {
  root: [
    [/;[^\n]*/, 'c1'],
    [/\s+/, 'w'],
    [/"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/[-+]?\d+\.\d+/, 'mf'],
    [/[-+]?\d+(?=[\s()])/, 'mi'],
    [/:[^\s()"]+/, 'ss'],
    [/#'/, 'o'],
    [/'[^\s()"]+/, 'ss'],
    [/[`',@.](?=[\s(])|['`]/, 'o'],
    [
      lispName,
      words(
        {
          k: 'block catch declare eval-when flet function go if labels lambda let let* load-time-value locally macrolet multiple-value-call progn progv quote return-from setq symbol-macrolet tagbody the throw unwind-protect',
          kc: 't nil',
          nb: '+ - * / = /= < > <= >= 1+ 1- and append apply assoc atom car case cdr cond cons defclass defconstant defgeneric defmacro defmethod defpackage defparameter defstruct defun defvar do dolist dotimes eq eql equal error eval first format funcall gethash in-package incf length list loop make-hash-table make-instance mapcar max min not nth null or pop print princ push reduce remove rest return reverse second setf sort string unless values when with-open-file',
        },
        'nv',
      ),
    ],
    [/[()]/, 'p'],
  ],
}

export const fsharp: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/\/\/[^\n]*/, 'c1'],
    [/\(\*(?!\))(?:[^*]|\*(?!\)))*(?:\*\))?/, 'c'],
    [/"""[\s\S]*?"""|@?"(?:\\[\s\S]|[^"\\])*"/, 's'],
    [/'(?:\\[\s\S]|[^'\\\n])'/, 'sc'],
    [/0[xX][\da-fA-F_]+/, 'mh'],
    [/\d[\d_]*\.\d*(?:[eE][+-]?\d+)?/, 'mf'],
    [/\d[\d_]*[uUlLyns]*/, 'mi'],
    [/(open|module|namespace)(\s+)([\w.]+)/, ['k', 'w', 'nn']],
    [
      /[A-Za-z_][\w']*/,
      words(
        {
          k: 'abstract as assert base begin break checked component const constraint constructor continue default delegate do done downcast downto elif else end event exception external extern false finally fixed for function fun functor global if include inherit inline interface internal in lazy let match member method mixin mutable namespace new null object of open override parallel private process protected public pure rec return sealed sig static struct tailcall then to trait true try type upcast use val virtual void volatile when while with yield',
          kt: 'bool byte char decimal double float float32 int int16 int32 int64 nativeint obj option sbyte single string uint uint16 uint32 uint64 unit list seq array',
          ow: 'and or not',
        },
        'n',
      ),
    ],
    [/[-+*/%=<>!&|^~?:.,;@$#()[\]{}]+/, 'o'],
  ],
}

export const lua: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/--\[\[[\s\S]*?(?:\]\]|$(?![\s\S]))/, 'cm'],
    [/--[^\n]*/, 'c1'],
    [/"(?:\\[\s\S]|[^"\\\n])*"/, 's2'],
    [/'(?:\\[\s\S]|[^'\\\n])*'/, 's1'],
    [/\[\[[\s\S]*?(?:\]\]|$(?![\s\S]))/, 's'],
    [/0[xX][\da-fA-F]+/, 'mh'],
    [/\d+\.\d*(?:[eE][+-]?\d+)?/, 'mf'],
    [/\d+/, 'mi'],
    [/(function)(\s+)([\w.:]+)/, ['kr', 'w', 'nf']],
    [
      /[A-Za-z_]\w*/,
      words(
        {
          kr: 'break do else elseif end for function goto if in repeat return then until while',
          kd: 'local',
          kc: 'true false nil',
          ow: 'and or not',
          nb: 'assert collectgarbage error getmetatable ipairs load next pairs pcall print rawget rawset require select setmetatable tonumber tostring type xpcall',
        },
        'nv',
      ),
    ],
    [/\.{2,3}|[-+*/%^#=<>~&|]+/, 'o'],
    [/[()[\]{},:;.]/, 'p'],
  ],
}

export const r: Lexer = {
  root: [
    [/\s+/, 'w'],
    [/#[^\n]*/, 'c1'],
    [/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/, 's'],
    [/\d+(?:\.\d*)?(?:[eE][+-]?\d+)?L?/, 'm'],
    [
      /[A-Za-z.][\w.]*(?=\s*\()/,
      words({ kr: 'if else for while repeat in next break return switch function' }, 'nf'),
    ],
    [
      /[A-Za-z.][\w.]*/,
      words(
        {
          kr: 'if else for while repeat in next break return switch function',
          kc: 'NULL NA TRUE FALSE Inf NaN',
        },
        'n',
      ),
    ],
    [/<-|->|%[^%\s]*%|[-+*/=<>!&|^~?:$@]+/, 'o'],
    [/[()[\]{},;]/, 'p'],
  ],
}

export const nim: Lexer = {
  root: [
    [/##[^\n]*/, 'sd'],
    [/#[^\n]*/, 'c'],
    [/\s+/, 'w'],
    [/"""[\s\S]*?"""|"(?:\\[\s\S]|[^"\\\n])*"/, 's'],
    [/'(?:\\[\s\S]|[^'\\\n])+'/, 'sc'],
    [/0[xX][\da-fA-F_]+/, 'mh'],
    [/\d[\d_]*\.\d[\d_]*/, 'mf'],
    [/\d[\d_]*/, 'mi'],
    [/(proc|func|method|template|macro|iterator)(\s+)(\w+)/, ['k', 'w', 'nf']],
    [
      /[A-Za-z_]\w*/,
      words(
        {
          k: 'addr as asm bind block break case cast concept const continue converter defer discard distinct do elif else end enum except export finally for func if interface iterator let macro method mixin object of out proc ptr raise ref return static template try tuple type using when while with without yield',
          kd: 'var',
          kn: 'import from include',
          kt: 'any array bool char float float32 float64 int int8 int16 int32 int64 range seq set string uint',
          ow: 'and or not xor shl shr div mod in notin is isnot',
          kp: 'nil true false',
          nb: 'echo len new',
        },
        'n',
      ),
    ],
    [/[-+*/%=<>!&|^~?:@$.]+/, 'o'],
    [/[()[\]{},;`]/, 'p'],
  ],
}

export const matlab: Lexer = {
  root: [
    [/%[^\n]*/, 'c'],
    [/\s+/, 'w'],
    [/(function)(\s+)([\w.]+)(\s*)(\()([^)\n]*)(\))/, ['k', 'w', 'nf', 'w', 'p', '', 'p']],
    [/"[^"\n]*"/, 's'],
    [/(?<![\w)\].'])'[^'\n]*'/, 's'],
    [/\d+\.\d*(?:[eE][+-]?\d+)?/, 'mf'],
    [/\d+/, 'mi'],
    [
      /[A-Za-z_]\w*/,
      words(
        {
          k: 'break case catch classdef continue else elseif end enumerated events for function global if methods otherwise parfor persistent properties return spmd switch try while',
          nb: 'abs ceil cos disp error exp eye false find floor fprintf length linspace log max mean min mod numel ones plot pow rand round sin size sort sprintf sqrt strcmp sum tan true zeros',
        },
        'n',
      ),
    ],
    [/==|~=|<=|>=|&&|\|\||\.[*/^']|[-+*/\\^<>&|~]+/, 'o'],
    [/[()[\]{}@.,=:;']/, 'p'],
    [/#/, ''],
  ],
}
