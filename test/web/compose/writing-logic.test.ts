import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyLookup } from '../../../src/markdown/lookup.ts'
import { render } from '../../../src/markdown/render.ts'
import { bestCandidates } from '../../../web/lib/candidates.ts'
import { plain, rankOf } from '../../../web/lib/fuzzy.ts'
import { htmlToMarkdown, isRich } from '../../../web/lib/html-to-markdown.ts'
import { type Format, format, newLine } from '../../../web/lib/text-edit.ts'
import { tokenAt } from '../../../web/lib/typeahead-token.ts'

describe('ranking', () => {
  const people = ['Joanna Cruz', 'Bo Ana', 'Ana Ruiz', 'Ana', 'Émile Ñandú'].map((value) => ({
    value,
    texts: [plain(value)],
  }))

  test('puts beginnings before words before what is inside', () => {
    expect(bestCandidates(people, 'ana', 8)).toEqual(['Ana', 'Ana Ruiz', 'Bo Ana'])
    expect(bestCandidates(people, 'an', 8)).toEqual([
      'Ana Ruiz',
      'Ana',
      'Bo Ana',
      'Joanna Cruz',
      'Émile Ñandú',
    ])
  })

  test('ignores accents, and takes words in any order', () => {
    expect(bestCandidates(people, 'emile nan', 8)).toEqual(['Émile Ñandú'])
    expect(bestCandidates(people, 'ruiz an', 8)).toEqual(['Ana Ruiz'])
    expect(rankOf('design', 'zz')).toBeUndefined()
  })

  test('a weight decides among the equal', () => {
    expect(bestCandidates(people, 'an', 2, (name) => (name === 'Ana' ? 1 : 0))).toEqual(['Ana', 'Ana Ruiz'])
  })

  test('while a name is typed on, only those are looked at again that fitted its beginning', () => {
    let looks = 0
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      value: i,
      get texts() {
        looks++
        return [`person number ${i} of many`, `person${i}@example.com`]
      },
    }))
    const looksFor = (typed: string) => {
      looks = 0
      bestCandidates(many, typed, 8)
      return looks
    }
    expect(looksFor('9')).toBe(10_000)
    expect(looksFor('99')).toBe(3_439)
    expect(looksFor('999')).toBe(280)
    expect(bestCandidates(many, '9999', 8)).toEqual([9999])
    expect(looksFor('8')).toBe(10_000)
  })

  test('the same is found whether a text is typed letter by letter or comes as a whole', () => {
    const word = fc.stringMatching(/^[ab ]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, (names, typed) => {
        const candidates = names.map((value) => ({ value, texts: [value, `${value}@ab`] }))
        for (let end = 1; end < typed.length; end++) bestCandidates(candidates, typed.slice(0, end), 5)
        expect(bestCandidates(candidates, typed, 5)).toEqual(bestCandidates([...candidates], typed, 5))
      }),
    )
  })
})

describe('what is being typed', () => {
  test.each([
    ['hello @an', { kind: 'mention', from: 6, query: 'an', isSilent: false }],
    ['@_**An', { kind: 'mention', from: 0, query: 'An', isSilent: true }],
    ['mail@example', undefined],
    ['see #des', { kind: 'channel', from: 4, query: 'des' }],
    ['# Title', undefined],
    ['#**design>Da', { kind: 'topic', from: 0, query: 'Da', channel: 'design' }],
    ['nice :tad', { kind: 'emoji', from: 5, query: 'tad' }],
    ['at 10:30', undefined],
    ['/po', { kind: 'command', from: 0, query: 'po' }],
    ['<time:tom', { kind: 'time', from: 0, query: 'tom' }],
    ['`code @an', undefined],
    ['```\n@an', undefined],
    ['see #**design>Ic', { kind: 'topic', from: 4, query: 'Ic', channel: 'design' }],
    ['see #**design** >Ic', { kind: 'topic', from: 4, query: 'Ic', channel: 'design' }],
    ['see #**design**>Ic', { kind: 'topic', from: 4, query: 'Ic', channel: 'design' }],
    ['#**design** > icons', undefined],
    ['#**design**\n>Ic', undefined],
    ['```quote\n@an', { kind: 'mention', from: 9, query: 'an', isSilent: false }],
  ])('%j', (text, token) => {
    expect(tokenAt(text, text.length)).toEqual(token)
  })
})

/** Applies a format to a text in which | marks the ends of the selection. */
function formatted(kind: Format, marked: string) {
  const start = marked.indexOf('|')
  const end = marked.lastIndexOf('|') === start ? start : marked.lastIndexOf('|') - 1
  return applied(marked.replaceAll('|', ''), format(kind, { text: marked.replaceAll('|', ''), start, end }))
}

function applied(text: string, edit: ReturnType<typeof format>) {
  const whole = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const inner = whole.slice(edit.start, edit.end)
  return `${whole.slice(0, edit.start)}|${inner}${inner && '|'}${whole.slice(edit.end)}`
}

describe('formats', () => {
  test.each<[Format, string, string]>([
    ['bold', 'a |word| b', 'a **|word|** b'],
    ['bold', 'a **|word|** b', 'a |word| b'],
    ['bold', 'a |word |b', 'a **|word|** b'],
    ['italic', '**|word|**', '***|word|***'],
    ['strike', '|', '~~|~~'],
    ['code', '|a\nb|', '```\n|a\nb|\n```'],
    ['link', '|word|', '[word](|url|)'],
    ['link', '|https://a.b|', '[|](https://a.b)'],
    ['quote', 'x |y| z', 'x \n```quote\n|y|\n```\n z'],
    ['list', '|a\nb|', '|* a\n* b|'],
    ['list', '|* a\n* b|', '|a\nb|'],
    ['numbers', '|a\nb|', '|1. a\n2. b|'],
    ['math', '|x|', '$$|x|$$'],
  ])('%s of %j', (kind, before, after) => {
    expect(formatted(kind, before)).toBe(after)
  })

  test('a new line goes on with a list, and ends it on an empty item', () => {
    const at = (text: string) => {
      const edit = newLine({ text, start: text.length, end: text.length })
      return edit && text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
    }
    expect(at('* a')).toBe('* a\n* ')
    expect(at('9. a')).toBe('9. a\n10. ')
    expect(at('* a\n* ')).toBe('* a\n')
    expect(at('plain')).toBeUndefined()
  })
})

describe('pasted HTML', () => {
  test.each([
    ['<b>bold</b> and <em>it </em>x', '**bold** and *it* x'],
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['<a href="https://a.b/c?d=1&amp;e=2">link</a>', '[link](https://a.b/c?d=1&e=2)'],
    ['<a href="javascript:alert(1)">no</a>', 'no'],
    ['<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>', '* a\n* b\n  1. c'],
    ['<ol start="3"><li>c</li><li>d</li></ol>', '3. c\n4. d'],
    ['<h2>Head</h2><p>text</p>', '## Head\n\ntext'],
    ['see <code>a`b</code>', 'see `` a`b ``'],
    ['<pre><code>let a = 1\n  b</code></pre>', '```\nlet a = 1\n  b\n```'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['<blockquote><pre>a\n\n\nb</pre></blockquote>', '> ```\n> a\n>\n>\n> b\n> ```'],
    [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    ['<style>p{}</style><script>alert(1)</script>safe &lt;b&gt;', 'safe <b>'],
    ['<b style="font-weight:normal"><p>plain</p></b>', 'plain'],
    ['<!--StartFragment--><i>x</i><!--EndFragment-->', '*x*'],
    ['<constructor>x</constructor> &constructor;', 'x &constructor;'],
    ['<p><img alt=":parrot:" class="emoji" src="/x.png" title="parrot"></p>', ':parrot:'],
    ['<p>look</p>\n<div class="message_embed"><div><a href="https://a.b/">Rooks</a></div></div>', 'look'],
  ])('%s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })

  test.each([
    'With $$\\frac{n}{k} < c$$, and $$x^2$$ more.',
    '```\nif x:\n    y = 1\n```\n\nand',
    '```python\nx = 1\n```\n\n```c++\nint x;\n```\n\n```\nplain\n```',
    '3. three\n4. four',
    '> quote\n>\n> > deeper\n>\n> and',
    'Listen: [My answer.webm](/user_uploads/1/ab/my.webm)',
    'A `` a ` b `` in code',
  ])('the HTML of %j is that again', (source) => {
    expect(htmlToMarkdown(render(source, emptyLookup).html)).toBe(source)
  })

  test('plain text in a wrapper is not rich', () => {
    expect(isRich('<meta charset="utf-8"><span style="color:red">just text</span>')).toBe(false)
    expect(isRich('<p>with <b>weight</b></p>')).toBe(true)
  })
})
