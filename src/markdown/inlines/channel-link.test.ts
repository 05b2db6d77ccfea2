import { expect, test } from 'vitest'
import { emptyLookup, type Lookup } from '../lookup.ts'
import { render } from '../render.ts'

const lookup: Lookup = {
  ...emptyLookup,
  channelByName: (name) =>
    name === 'My.channel & co' ? { id: 7, name } : name === 'a' ? { id: 1, name } : undefined,
  newestInTopic: (id, topic) => (id === 1 && topic === 'old' ? 99 : undefined),
}

const cases: [source: string, paragraph: string][] = [
  ['#**a**', '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-a">#a</a>'],
  [
    '#**My.channel & co**',
    '<a class="stream" data-stream-id="7" href="/#narrow/channel/7-My.2Echannel-.26-co">#My.channel &amp; co</a>',
  ],
  [
    '#**a>✔ b>c**',
    '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-a/topic/.E2.9C.94.20b.3Ec">#a &gt; ✔ b&gt;c</a>',
  ],
  [
    '#**a>old**',
    '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-a/topic/old/with/99">#a &gt; old</a>',
  ],
  [
    '#**a>**',
    '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-a/topic/">#a &gt; <em>general chat</em></a>',
  ],
  ['#**a>t@5**', '<a class="message-link" href="/#narrow/channel/1-a/topic/t/near/5">#a &gt; t @ 💬</a>'],
  [
    '#**a>@5**',
    '<a class="message-link" href="/#narrow/channel/1-a/topic//near/5">#a &gt; <em>general chat</em> @ 💬</a>',
  ],
  ['#**nosuch** #**nosuch>t**', '#<strong>nosuch</strong> #<strong>nosuch&gt;t</strong>'],
  ['x#**a**', 'x#<strong>a</strong>'],
  ['`#**a**`', '<code>#**a**</code>'],
  [
    '#**a>\ud800**',
    '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-a/topic/.EF.BF.BD">#a &gt; \ufffd</a>',
  ],
]

test.each(cases)('%s', (source, paragraph) => {
  expect(render(source, lookup).html).toBe(`<p>${paragraph}</p>`)
})
