// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of other languages

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../test/runner/effort.ts'
import { markdownLimits } from '../limits.ts'
import { textOf } from '../nodes.ts'
import { highlight } from './highlight.ts'
import { codeLanguageName, languageFor, languageWords } from './languages.ts'

const newSteps = () => ({ left: markdownLimits.highlighting })

/** Spans as ⟨class text⟩. */
function shown(code: string, word: string) {
  const nodes = highlight(`${code}\n`, word, newSteps())
  return nodes
    .map((node) =>
      typeof node === 'string' || !('tag' in node) ? node : `⟨${node.attributes.class} ${node.children}⟩`,
    )
    .join('')
    .replace(/⟨w ( +)⟩/g, '$1')
    .trimEnd()
}

const cases: [word: string, code: string, shown: string][] = [
  [
    'python',
    '@cached\nasync def f(self, x: int = 0x1F) -> str:\n    return f"{x!r} a" if x is None else \'b\'  # c',
    '⟨nd @cached⟩\n⟨k async⟩ ⟨k def⟩ ⟨nf f⟩⟨p (⟩⟨bp self⟩⟨p ,⟩ ⟨n x⟩⟨p :⟩ ⟨nb int⟩ ⟨o =⟩ ⟨mh 0x1F⟩⟨p )⟩ ⟨o ->⟩ ⟨nb str⟩⟨p :⟩\n    ⟨k return⟩ ⟨sa f⟩⟨s2 "⟩⟨si {⟩⟨n x⟩⟨si !r}⟩⟨s2  a"⟩ ⟨k if⟩ ⟨n x⟩ ⟨ow is⟩ ⟨kc None⟩ ⟨k else⟩ ⟨s1 \'b\'⟩  ⟨c1 # c⟩',
  ],
  [
    'python',
    'class A(B):\n    """Doc."""\n    from a.b import c',
    '⟨k class⟩ ⟨nc A⟩⟨p (⟩⟨n B⟩⟨p ):⟩\n    ⟨sd """Doc."""⟩\n    ⟨kn from⟩ ⟨nn a.b⟩ ⟨kn import⟩ ⟨n c⟩',
  ],
  [
    'js',
    'const f = async (x) => `a ${x + 1}`; // c\nif (!/a[/]b/.test(y)) throw new Error("e")',
    '⟨kd const⟩ ⟨nx f⟩ ⟨o =⟩ ⟨k async⟩ ⟨p (⟩⟨nx x⟩⟨p )⟩ ⟨p =>⟩ ⟨sb `a ⟩⟨si ${⟩⟨nx x⟩ ⟨o +⟩ ⟨mf 1⟩⟨si }⟩⟨sb `⟩⟨p ;⟩ ⟨c1 // c⟩\n⟨k if⟩ ⟨p (⟩⟨o !⟩⟨sr /a[/]b/⟩⟨p .⟩⟨nx test⟩⟨p (⟩⟨nx y⟩⟨p ))⟩ ⟨k throw⟩ ⟨ow new⟩ ⟨ne Error⟩⟨p (⟩⟨s2 "e"⟩⟨p )⟩',
  ],
  ['ts', 'interface A { b: string }', '⟨kd interface⟩ ⟨nx A⟩ ⟨p {⟩ ⟨nx b⟩⟨o :⟩ ⟨kt string⟩ ⟨p }⟩'],
  ['tsx', '<b>x</b>', '⟨p <⟩⟨nt b⟩⟨p >⟩⟨nx x⟩⟨p </⟩⟨nt b⟩⟨p >⟩'],
  [
    'json',
    '{"a": [1, 2.5, true, null, "b"], c}',
    '⟨p {⟩⟨nt "a"⟩⟨p :⟩ ⟨p [⟩⟨mi 1⟩⟨p ,⟩ ⟨mf 2.5⟩⟨p ,⟩ ⟨kc true⟩⟨p ,⟩ ⟨kc null⟩⟨p ,⟩ ⟨s2 "b"⟩⟨p ],⟩ ⟨err c⟩⟨p }⟩',
  ],
  [
    'bash',
    '#!/bin/sh\nx=1; echo "$x ${y}" && ls -l | grep a # c',
    '⟨ch #!/bin/sh⟩\n⟨nv x⟩⟨o =⟩⟨m 1⟩⟨p ;⟩ ⟨nb echo⟩ ⟨s2 "⟩⟨nv $x⟩⟨s2  ⟩⟨si ${⟩⟨nv y⟩⟨si }⟩⟨s2 "⟩ ⟨o &&⟩ ls -l ⟨p |⟩ grep a ⟨c1 # c⟩',
  ],
  ['console', '$ ls -l\ntotal 0', '⟨gp $ ⟩ls -l\n⟨go total 0⟩'],
  [
    'c',
    "#include <a.h>\nstatic int f(char *s) { return s[0] == 'a' ? 1.5 : 0x1F; } /* c */",
    "⟨cp #include⟩ ⟨cpf <a.h>⟩\n⟨k static⟩ ⟨kt int⟩ ⟨nf f⟩⟨p (⟩⟨kt char⟩ ⟨o *⟩⟨n s⟩⟨p )⟩ ⟨p {⟩ ⟨k return⟩ ⟨n s⟩⟨p [⟩⟨mi 0⟩⟨p ]⟩ ⟨o ==⟩ ⟨sc 'a'⟩ ⟨o ?⟩ ⟨mf 1.5⟩ ⟨o :⟩ ⟨mh 0x1F⟩⟨p ;⟩ ⟨p }⟩ ⟨cm /* c */⟩",
  ],
  [
    'java',
    '@A\npublic class B { int c(String d) { return this.e; } }',
    '⟨nd @A⟩\n⟨kd public⟩ ⟨kd class⟩ ⟨nc B⟩ ⟨p {⟩ ⟨kt int⟩ ⟨nf c⟩⟨p (⟩⟨n String⟩ ⟨n d⟩⟨p )⟩ ⟨p {⟩ ⟨k return⟩ ⟨k this⟩⟨p .⟩⟨na e⟩⟨p ;⟩ ⟨p }⟩ ⟨p }⟩',
  ],
  [
    'go',
    'func f() { x := []string{"a"} }',
    '⟨kd func⟩ ⟨nx f⟩⟨p ()⟩ ⟨p {⟩ ⟨nx x⟩ ⟨o :=⟩ ⟨p []⟩⟨kt string⟩⟨p {⟩⟨s "a"⟩⟨p }⟩ ⟨p }⟩',
  ],
  [
    'rust',
    'fn f(x: &mut u8) -> bool { println!("a") }',
    '⟨k fn⟩ ⟨nf f⟩⟨p (⟩⟨n x⟩⟨p :⟩ ⟨kp &⟩⟨nc mut⟩ ⟨kt u8⟩⟨p )⟩ ⟨p ->⟩ ⟨kt bool⟩ ⟨p {⟩ ⟨fm println!⟩⟨p (⟩⟨s "a"⟩⟨p )⟩ ⟨p }⟩',
  ],
  [
    'sql',
    "SELECT a.b FROM c WHERE d = 'e' -- f",
    "⟨k SELECT⟩ ⟨n a⟩⟨p .⟩⟨n b⟩ ⟨k FROM⟩ ⟨k c⟩ ⟨k WHERE⟩ ⟨n d⟩ ⟨o =⟩ ⟨s1 'e'⟩ ⟨c1 -- f⟩",
  ],
  [
    'html',
    '<a href="b">c &amp; d</a><script>var x = 1</script>',
    '⟨p <⟩⟨nt a⟩ ⟨na href⟩⟨o =⟩⟨s "b"⟩⟨p >⟩c ⟨ni &amp;⟩ d⟨p </⟩⟨nt a⟩⟨p ><⟩⟨nt script⟩⟨p >⟩⟨kd var⟩ ⟨nx x⟩ ⟨o =⟩ ⟨mf 1⟩⟨p </⟩⟨nt script⟩⟨p >⟩',
  ],
  [
    'css',
    'a.b:hover { color: #fff; margin: 1px }',
    '⟨nt a⟩⟨p .⟩⟨nc b⟩⟨p :⟩⟨nd hover⟩ ⟨p {⟩ ⟨k color⟩⟨p :⟩ ⟨mh #fff⟩⟨p ;⟩ ⟨k margin⟩⟨p :⟩ ⟨mi 1⟩⟨kt px⟩ ⟨p }⟩',
  ],
  [
    'yaml',
    '# c\na: b\nd:\n  - "e"',
    '⟨c1 # c⟩\n⟨nt a⟩⟨p :⟩ ⟨l l-Scalar l-Scalar-Plain b⟩\n⟨nt d⟩⟨p :⟩\n  ⟨p p-Indicator -⟩ ⟨s "e"⟩',
  ],
  ['toml', '[a]\nb = { c = 1 }', '⟨k [a]⟩\n⟨n b⟩ ⟨o =⟩ ⟨p {⟩ ⟨n c⟩ ⟨p =⟩ ⟨mi 1⟩ ⟨p }⟩'],
  ['ini', '[a]\nb = c\n; d', '⟨k [a]⟩\n⟨na b⟩ ⟨o =⟩ ⟨s c⟩\n⟨c1 ; d⟩'],
  ['diff', '@@ -1 +1 @@\n-a\n+b\n c', '⟨gu @@ -1 +1 @@⟩\n⟨gd -a⟩\n⟨gi +b⟩\n c'],
  ['markdown', '# a\n**b** `c`', '⟨gh # a⟩\n⟨gs **b**⟩ ⟨sb `c`⟩'],
  ['latex', '\\a{b} $c^2$ % d', '⟨k \\a⟩⟨nb {⟩b⟨nb }⟩ ⟨s $⟩⟨nb c^⟩⟨m 2⟩⟨s $⟩ ⟨c % d⟩'],
  ['haskell', 'f x = x + 1 -- c', '⟨nf f⟩ ⟨n x⟩ ⟨ow =⟩ ⟨n x⟩ ⟨o +⟩ ⟨mi 1⟩ ⟨c1 -- c⟩'],
  [
    'clojure',
    '(defn f [x] (+ x :a)) ; c',
    '⟨p (⟩⟨kd defn ⟩⟨nv f⟩ ⟨p [⟩⟨nv x⟩⟨p ]⟩ ⟨p (⟩⟨nb + ⟩⟨nv x⟩ ⟨ss :a⟩⟨p ))⟩ ⟨c1 ; c⟩',
  ],
  ['php', '<?php echo $x; ?>', '⟨cp <?php⟩ ⟨k echo⟩ ⟨nv $x⟩⟨p ;⟩ ⟨cp ?>⟩'],
  ['makefile', 'a: b\nX = 1', '⟨nf a⟩⟨o :⟩ ⟨n b⟩\n⟨nv X⟩ ⟨o =⟩ ⟨m 1⟩'],
  ['nginx', 'server { listen 80; }', '⟨k server⟩ ⟨p {⟩ ⟨kn listen⟩ ⟨mi 80⟩⟨p ;⟩ ⟨p }⟩'],
  ['lua', 'local function f() end', '⟨kd local⟩ ⟨kr function⟩ ⟨nf f⟩⟨p ()⟩ ⟨kr end⟩'],
  ['ruby', 'def f(x) = @y + :z # c', '⟨k def⟩ ⟨nf f⟩⟨p (⟩⟨n x⟩⟨p )⟩ ⟨o =⟩ ⟨vi @y⟩ ⟨o +⟩ ⟨ss :z⟩ ⟨c1 # c⟩'],
  [
    'scss',
    '$a: 1px;\n.b { &:hover { color: darken($a, 5%); } } // c',
    '⟨nv $a⟩⟨o :⟩ ⟨mi 1⟩⟨kt px⟩⟨p ;⟩\n⟨nc .b⟩ ⟨p {⟩ ⟨k &⟩⟨nd :hover⟩ ⟨p {⟩ ⟨nt color⟩⟨nd :⟩ ⟨nt darken⟩⟨o (⟩⟨err $⟩⟨nt a⟩⟨o ,⟩ ⟨nt 5⟩⟨err %⟩⟨o );⟩ ⟨p }⟩ ⟨p }⟩ ⟨c1 // c⟩',
  ],
  [
    'powershell',
    'Get-ChildItem -Path $a | Where-Object { $_.Length -gt 1KB } # c',
    '⟨nb Get-ChildItem⟩ ⟨n -Path⟩ ⟨nv $a⟩ ⟨p |⟩ ⟨nb Where-Object⟩ ⟨p {⟩ ⟨nv $_⟩⟨p .⟩⟨n Length⟩ ⟨o -gt⟩ ⟨n 1KB⟩ ⟨p }⟩ ⟨c # c⟩',
  ],
  [
    'cmake',
    '# c\nif(WIN32)\n  add_library(a STATIC ${B}/c.cpp)\nendif()',
    '⟨c # c⟩\n⟨nb if⟩⟨p (⟩⟨s WIN32⟩⟨p )⟩\n  ⟨nb add_library⟩⟨p (⟩⟨s a⟩ ⟨s STATIC⟩ ⟨o ${⟩⟨nv B⟩⟨o }⟩⟨s /c.cpp⟩⟨p )⟩\n⟨nb endif⟩⟨p ()⟩',
  ],
  [
    'ocaml',
    'let rec f x = match x with [] -> 0 | _ :: t -> 1 + f t (* c *)',
    '⟨k let⟩ ⟨k rec⟩ ⟨n f⟩ ⟨n x⟩ ⟨o =⟩ ⟨k match⟩ ⟨n x⟩ ⟨k with⟩ ⟨bp []⟩ ⟨o ->⟩ ⟨mi 0⟩ ⟨o |⟩ ⟨o _⟩ ⟨o ::⟩ ⟨n t⟩ ⟨o ->⟩ ⟨mi 1⟩ ⟨o +⟩ ⟨n f⟩ ⟨n t⟩ ⟨c (* c *)⟩',
  ],
  [
    'julia',
    'function f(x::Int)\n    @show "a $x" # c\nend',
    '⟨k function⟩ ⟨n f⟩⟨p (⟩⟨n x⟩⟨o ::⟩⟨kt Int⟩⟨p )⟩\n    ⟨nd @show⟩ ⟨s "a ⟩⟨si $x⟩⟨s "⟩ ⟨c # c⟩\n⟨k end⟩',
  ],
  [
    'terraform',
    'resource "a" "b" {\n  c = var.d\n  e = <<EOT\nf\nEOT\n}',
    '⟨kr resource⟩ ⟨nc "a"⟩ ⟨nv "b"⟩ ⟨p {⟩\n  ⟨na c⟩ ⟨o =⟩ ⟨nv var.d⟩\n  ⟨na e⟩ ⟨o =⟩ ⟨o <<⟩⟨dl EOT⟩\n⟨sh f⟩\n⟨dl EOT⟩\n⟨p }⟩',
  ],
  ['hcl', 'a = true # b', '⟨na a⟩ ⟨o =⟩ ⟨no true⟩⟨c1  # b⟩'],
  [
    'nix',
    '{ pkgs ? import <nixpkgs> {} }: with pkgs; mkShell { a = "${b}"; } # c',
    '⟨p {⟩ pkgs ⟨o ?⟩ ⟨nb import⟩ ⟨l <nixpkgs>⟩ ⟨p {}⟩ ⟨p }:⟩ ⟨k with⟩ pkgs⟨p ;⟩ mkShell ⟨p {⟩ ⟨ss a⟩ ⟨o =⟩ ⟨s2 "⟩⟨si ${⟩b⟨si }⟩⟨s2 "⟩⟨p ;⟩ ⟨p }⟩ ⟨c1 # c⟩',
  ],
  [
    'jinja',
    '<b>{% if a %}{{ c|e }}{% endif %}</b>{# d #}',
    '⟨x <b>⟩⟨cp {%⟩ ⟨k if⟩ ⟨nv a⟩ ⟨cp %}{{⟩ ⟨nv c⟩⟨o |⟩⟨nf e⟩ ⟨cp }}{%⟩ ⟨k endif⟩ ⟨cp %}⟩⟨x </b>⟩⟨c {# d #}⟩',
  ],
  [
    'html+jinja',
    '<b class="{{ a }}">{% if c %}d{% endif %}</b>',
    '⟨p <⟩⟨nt b⟩ ⟨na class⟩⟨o =⟩⟨s "⟩⟨cp {{⟩ ⟨nv a⟩ ⟨cp }}⟩⟨s "⟩⟨p >⟩⟨cp {%⟩ ⟨k if⟩ ⟨nv c⟩ ⟨cp %}⟩d⟨cp {%⟩ ⟨k endif⟩ ⟨cp %}⟩⟨p </⟩⟨nt b⟩⟨p >⟩',
  ],
  ['py2', 'print "a" % unicode(b)', '⟨k print⟩ ⟨s2 "a"⟩ ⟨o %⟩ ⟨nb unicode⟩⟨p (⟩⟨n b⟩⟨p )⟩'],
  [
    'php',
    'function f($x) { return strlen("a $x"); } // c',
    '⟨k function⟩ ⟨nf f⟩⟨p (⟩⟨nv $x⟩⟨p )⟩ ⟨p {⟩ ⟨k return⟩ ⟨nb strlen⟩⟨p (⟩⟨s2 "a ⟩⟨si $x⟩⟨s2 "⟩⟨p );⟩ ⟨p }⟩ ⟨c1 // c⟩',
  ],
  ['md', '# a\n```py\nx = 1\n```\n', '⟨gh # a⟩\n⟨sb ```py⟩\n⟨n x⟩ ⟨o =⟩ ⟨mi 1⟩\n⟨sb ```⟩'],
  ['rb', 'x = <<~EOT\n  a\nEOT\nputs x', '⟨n x⟩ ⟨o =⟩ ⟨o <<~⟩⟨dl EOT⟩\n⟨sh   a⟩\n⟨dl EOT⟩\n⟨nb puts⟩ ⟨n x⟩'],
  [
    'vue',
    '<a :b="c">{{ d }}</a>',
    '⟨p <⟩⟨nt a⟩ ⟨p :⟩⟨na b⟩⟨o =⟩⟨s "⟩⟨nx c⟩⟨s "⟩⟨p >⟩⟨cp {{⟩ ⟨nx d⟩ ⟨cp }}⟩⟨p </⟩⟨nt a⟩⟨p >⟩',
  ],
  [
    'makefile',
    '# c\nifeq (a,b)\nX := $(Y)\nendif\na: b\n\techo $$X',
    '⟨c # c⟩\n⟨cp ifeq (a,b)⟩\n⟨nv X⟩ ⟨o :=⟩ ⟨k $(⟩Y⟨k )⟩\n⟨cp endif⟩\n⟨nf a⟩⟨o :⟩ ⟨n b⟩\n⟨w \t⟩⟨nb echo⟩ ⟨nv $$⟩X',
  ],
  [
    'dockerfile',
    'FROM a:1\nRUN ["x", "y"]\nENV A=b',
    '⟨k FROM⟩ ⟨s a:1⟩\n⟨k RUN⟩ ⟨o [⟩⟨s2 "x"⟩, ⟨s2 "y"⟩⟨o ]⟩\n⟨k ENV⟩ ⟨nv A⟩⟨o =⟩b',
  ],
]

test.each(cases)('%s: %s', (word, code, expected) => {
  expect(shown(code, word)).toBe(expected)
})

test('words for languages, in whatever case', () => {
  expect(['py', 'JS', 'c++', 'sh', 'nosuch'].map(codeLanguageName)).toEqual([
    'Python',
    'JavaScript',
    'C++',
    'Bash',
    'nosuch',
  ])
  expect(languageFor('text')).toEqual({ name: 'Text only', lexer: '' })
  expect(languageFor('nosuch')).toBeUndefined()
})

test('whatever the language, all of the code is there and no span goes over a line', () => {
  const code = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          '`',
          '/*',
          '*/',
          '<a',
          '>',
          '{',
          '}',
          '${',
          '#',
          '\n',
          ' ',
          '\\',
          'if',
          '1.5',
          '- ',
          ':',
          'f"',
          '(',
          ')',
        ),
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.constantFrom(...languageWords()), code, (word, text) => {
      const nodes = highlight(`${text}\n`, word, newSteps())
      expect(textOf(nodes)).toBe(`${text}\n`)
      for (const node of nodes) if (typeof node === 'object') expect(textOf([node])).not.toContain('\n')
    }),
    { numRuns: tries(5_000) },
  )
})

test('very long code stays plain', () => {
  const code = 'x = 1\n'.repeat(2_000)
  expect(highlight(code, 'python', newSteps())).toEqual([code])
})
