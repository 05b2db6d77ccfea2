import { curly } from './curly.ts'
import type { Lexer } from './lexer.ts'

// More languages with braces.

export const swift = curly({
  lists: {
    k: 'actor as async await break case catch continue default defer do else fallthrough for guard if in is repeat return self Self some super switch throw throws try where while any',
    kd: 'associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol public static struct subscript typealias var lazy override final mutating weak unowned',
    kt: 'Any AnyObject Array Bool Character Dictionary Double Float Int Int8 Int16 Int32 Int64 Optional Set String UInt UInt8 UInt16 UInt32 UInt64 Void',
    kc: 'true false nil',
    nb: 'abs assert fatalError max min precondition print',
  },
  operator: /(?:->|==|!=|<=|>=|&&|\|\||\.\.[.<]|[-+*/%!^~|])+/,
  punctuation: /[()[\]{};:,.@#=<>&?]/,
})

export const go = curly({
  lists: {
    k: 'break case default defer else fallthrough for go goto if range return select switch continue',
    kd: 'chan const func interface map struct type var',
    kn: 'import package',
    kc: 'true false iota nil',
    kt: 'any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
    nb: 'append cap clear close complex copy delete imag len make max min new panic print println real recover',
  },
  name: 'nx',
  quoted: ['s', 'sc'],
  more: [[/`[^`]*`/, 's']],
  operator: /(?:<<|>>|<=|>=|==|!=|&&|\|\||<-|\+\+|--|:=|&\^|\.{3}|[-+*/%&])=?|~/,
  punctuation: /[|^<>=!()[\]{}.,;:]/,
})

export const rust = curly({
  lists: {
    k: 'as async await box break const continue crate dyn else extern for if impl in loop macro match move mut pub ref return static super unsafe use where while yield',
    kd: 'let',
    kc: 'true false',
    kt: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize',
    bp: 'self Self',
    nb: 'Box Clone Copy Debug Default Drop Eq Err From Into Iterator None Ok Option Ord PartialEq Result Send Some String Sync ToString Vec',
  },
  quoted: ['s', 's'],
  more: [
    [/(fn)(\s+)([\p{L}_]\w*)/u, ['k', 'w', 'nf']],
    [/(struct|enum|trait|type|union|mod)(\s+)([\p{L}_]\w*)/u, ['k', 'w', 'nc']],
    [/\w+!(?!=)/, 'fm'],
    [/#!?\[[^\]\n]*\]/, 'cp'],
    [/'[a-z_]\w*(?!')/, 'na'],
  ],
  operator: /[+*/%<>!&|^?@]+=*|-(?!>)=?|=(?!>)=*|\.\.=?/,
  punctuation: /->|=>|[()[\]{};:,.#~]/,
})

export const dart = curly({
  lists: {
    k: 'as assert async await break case catch const continue default do else enum finally for if in is new rethrow return super switch this throw try while yield',
    kd: 'abstract class covariant extends external factory final get implements late operator required set static typedef var with',
    kt: 'bool double dynamic int num Object String void List Map Set Future Stream',
    kc: 'true false null',
    kn: 'import library part export',
  },
  quoted: ['s2', 's1'],
  integer: 'm',
  more: [[/@\w+/, 'nd']],
})

export const zig = curly({
  lists: {
    k: 'align and asm async await break catch comptime const continue defer else enum errdefer error export extern fn for if inline nosuspend or orelse packed pub resume return struct suspend switch test threadlocal try union usingnamespace var volatile while',
    kt: 'anyerror anyframe anyopaque anytype bool c_int c_uint f16 f32 f64 f128 i8 i16 i32 i64 i128 isize noreturn type u8 u16 u32 u64 u128 usize void',
    kc: 'false null true undefined',
  },
  more: [[/@[\p{L}_]\w*/u, 'nb']],
})

export const kotlin = curly({
  lists: {
    k: 'as break by catch continue do else finally for if in is return super this throw try typealias when where while abstract const companion data enum final inline inner internal lateinit open operator override private protected public sealed suspend vararg',
    kd: 'class fun interface object val var',
    kc: 'true false null',
    kt: 'Any Boolean Byte Char Double Float Int Long Nothing Short String Unit',
  },
  quoted: ['s', 'sc'],
  integer: 'm',
  more: [
    [/"""[\s\S]*?"""/, 's'],
    [/(fun)(\s+)(\w+)/, ['kd', 'w', 'nf']],
    [/(class|interface|object)(\s+)(\w+)/, ['kd', 'w', 'nc']],
    [/(import|package)(\s+)([\w.]+)/, ['k', 'w', 'nn']],
    [/@\w+/, 'nd'],
  ],
})

export const scala = curly({
  lists: {
    k: 'abstract case catch def do else enum export extends final finally for forSome given if implicit import lazy macro match new object override package private protected return sealed super then this throw trait try type val var while with yield class using',
    kc: 'true false null',
    kt: 'Any Boolean Byte Char Double Float Int Long Nothing Short String Unit',
  },
  more: [
    [/"""[\s\S]*?"""/, 's'],
    [/(def)(\s+)(\w+)/, ['k', 'w', 'nf']],
    [/(class|object|trait)(\s+)(\w+)/, ['k', 'w', 'nc']],
    [/[#&]\w*/, 'n'],
    [/@\w+/, 'nd'],
  ],
  operator: /=>|<-|[-+*/%=<>!|^~?:]/,
})

export const protobuf = curly({
  lists: {
    k: 'enum extensions extend import max message oneof optional option package public repeated required reserved returns rpc service syntax to',
    kt: 'bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64 group map',
    kc: 'true false',
  },
  first: [
    [/([\p{L}_]\w*)(\s*)(=)/u, ['na', 'w', 'o']],
    [/(message|enum|service)(\s+)(\w+)/, ['k', 'w', 'nc']],
  ],
  operator: /[-+=]|\/(?![/*])/,
  punctuation: /[()[\]{};,.<>:]/,
})

/** Code of PHP stands between `<?php` and `?>`; around it is text. */
export const php: Lexer = {
  root: [
    [/<\?(?:php)?/, 'cp', 'code'],
    [/[^<]+|</, 'x'],
  ],
  code: [
    [/\?>/, 'cp', 'back'],
    [/#[^\n]*/, 'c1'],
    [/\$\w+/, 'nv'],
    [/(function)(\s+)(\w+)/, ['k', 'w', 'nf']],
    ...curly({
      lists: {
        k: 'abstract and array as break case catch class clone const continue declare default die do echo else elseif empty enum exit extends final finally fn for foreach function global goto if implements include include_once instanceof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield',
        kc: 'true false null',
      },
      name: 'nx',
      quoted: ['s2', 's1'],
      punctuation: /[()[\]{};,]/,
      operator: /[-+*/%=<>!&|^~?:.@\\]+/,
    }).root!,
  ],
}
