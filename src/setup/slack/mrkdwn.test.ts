import { expect, test } from 'vitest'
import { markdownOf } from './mrkdwn.ts'

const names = {
  person: (id: string) => (id === 'U1' ? '@**Ann|5**' : undefined),
  channel: (id: string) => (id === 'C1' ? '#**general**' : undefined),
}

test.each([
  ['*bold* _slanted_ ~gone~ *_both_*', '**bold** *slanted* ~~gone~~ ***both***'],
  ['2*3*4 snake_case_name a~b~c', '2*3*4 snake_case_name a~b~c'],
  ['`*as it is* &amp; so`', '`*as it is* & so`'],
  ['before```if (a &lt; b) {\n  *p\n}```after', 'before\n```\nif (a < b) {\n  *p\n}\n```\nafter'],
  ['`see <https://a.example|a.example> <b>`', '`see a.example b`'],
  ['```\ncurl <https://a.example/x?a=1&amp;b=2>\n```', '```\ncurl https://a.example/x?a=1&b=2\n```'],
  ['<https://a.example|the `code`>', '[the `code`](https://a.example)'],
  ['`a ```b``` c`', '`a \n```\nb\n```\n c`'],
  ['<@U1>, <@U9|bob>, <@U8>', '@**Ann|5**, @bob, @U8'],
  ['*<@U1>*: yes', '@**Ann|5**: yes'],
  ['<#C1|general> <#C9|elsewhere>', '#**general** #elsewhere'],
  ['<!here> <!channel|channel> <!subteam^S1|@devs>', '@**all** @**all** @devs'],
  ['<!subteam^S1>', '@group'],
  ['<!date^1392734382^{date}|18 February>', '18 February'],
  ['<https://a.example/x_y_z>', 'https://a.example/x_y_z'],
  ['<https://a.example/(x)|the [site]>', '[the (site)](https://a.example/(x%29)'],
  ['<mailto:ann@example.com|ann@example.com>', 'ann@example.com'],
  ['&gt; quoted\nnot quoted', '> quoted\n\nnot quoted'],
  ['so:\n&gt;&gt;&gt; one\ntwo', 'so:\n> one\n> two'],
  ['• one\n▪︎ two\nthree\n1. four\nfive', '* one\n* two\n\nthree\n1. four\n\nfive'],
  ['# of items\n```\n# code\n```\n## 2', ' # of items\n\n```\n# code\n```\n\n ## 2'],
  ['• one\n    ◦ two\n• three', '* one\n  * two\n* three'],
  [
    ':white_check_mark: :+1::skin-tone-3: :flag-de: :parrot_of_ours:',
    ':check: :+1: :flag_germany: :parrot_of_ours:',
  ],
  ['&lt;b&gt; &amp;amp;', '<b> &amp;'],
])('%j becomes Markdown', (text, markdown) => {
  expect(markdownOf(text, names)).toBe(markdown)
})
